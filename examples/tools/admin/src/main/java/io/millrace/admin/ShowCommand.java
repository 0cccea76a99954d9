package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.internal.ShownText;
import io.millrace.ledger.SequenceAudit.Use;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;

@Command(
    name = "show",
    description =
        "Shows the counter, rate and remaining values of a sequence, and its holders from the"
            + " ledger.")
final class ShowCommand extends SequenceCommand {

  @Parameters(paramLabel = "NAME", description = "The sequence.")
  private String name;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Durations.class,
      description = "The time between two readings, 10ms to 1h (default: ${DEFAULT-VALUE}).")
  private Duration interval;

  @Option(
      names = "--max-value",
      paramLabel = "VALUE",
      defaultValue = "" + SequenceState.LARGEST_VALUE,
      description =
          "The largest value, to compute the remaining values (default: ${DEFAULT-VALUE}).")
  private long maxValue;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  ShowCommand() {}

  @Override
  void check() {
    new Refusals(spec).require("--interval", interval, Duration.ofMillis(10), Duration.ofHours(1));
  }

  @Override
  Status run(Counters counters) throws InterruptedException {
    Listed first = find(counters, name);
    long begun = System.nanoTime();
    Thread.sleep(interval.toMillis());
    Listed last = find(counters, name);
    double rate = last.rateSince(first, (System.nanoTime() - begun) / 1e9);
    BigInteger remaining = last.remaining(maxValue);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", last.name());
    fields.put("kind", last.kind());
    fields.put("nextValue", last.nextValue());
    last.stripes()
        .ifPresent(
            stripes -> {
              fields.put("stripes", stripes);
              fields.put("stride", last.stride());
              fields.put("start", last.start());
            });
    NativeSequence definition = last.definition();
    if (definition != null) {
      fields.put("counter", definition.counter());
      fields.put("start", definition.start());
      fields.put(
          "skipRange",
          definition.skipFirst() == null
              ? "none"
              : definition.skipFirst() + " to " + definition.skipLast());
    }
    fields.put("valuesPerSecond", Math.round(rate * 10) / 10.0);
    fields.put("remaining", remaining);
    if (rate > 0) {
      fields.put("daysLeft", Math.floor(remaining.doubleValue() / rate / 86_400));
    }
    List<Holding> holders =
        database.hasLedger() && definition == null
            ? all(
                    Flux.fromIterable(last.rows())
                        .concatMap(row -> counters.table().audit().uses(row.name())))
                .stream()
                .map(Holding::of)
                .toList()
            : List.of();
    String text = text(fields);
    if (database.hasLedger()) {
      fields.put("holders", holders);
      text += "\n\n" + Holding.table(holders);
    }
    print(fields, text);
    return Status.GOOD;
  }

  private static String text(Map<String, Object> fields) {
    return fields.entrySet().stream()
        .map(
            field ->
                String.format(
                    Locale.ROOT,
                    "%-18s %s",
                    field.getKey().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT),
                    field.getValue() instanceof Double number
                        ? String.format(Locale.ROOT, "%.1f", number)
                        : ShownText.line(String.valueOf(field.getValue()))))
        .collect(Collectors.joining("\n"));
  }

  /** What a process reserved, as it is printed. */
  record Holding(
      String holder, long reservations, long values, double valuesPerSecond, String lastAt) {

    static Holding of(Use use) {
      return new Holding(
          use.holder().toString(),
          use.reservations(),
          use.values(),
          Math.round(use.valuesPerSecond() * 10) / 10.0,
          use.lastAt().toString());
    }

    static String table(List<Holding> holders) {
      return holders.isEmpty()
          ? "The ledger has no entries of this sequence."
          : new TextTable(
                  List.of("holder", "last reservation", "reservations", "values", "values/s"),
                  2,
                  holders.stream()
                      .map(
                          each ->
                              List.of(
                                  each.holder(),
                                  each.lastAt(),
                                  String.valueOf(each.reservations()),
                                  String.valueOf(each.values()),
                                  String.format(Locale.ROOT, "%.1f", each.valuesPerSecond())))
                      .toList())
              .text();
    }
  }
}
