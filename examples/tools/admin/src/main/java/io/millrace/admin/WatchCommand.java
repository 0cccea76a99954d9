package io.millrace.admin;

import io.millrace.internal.ShownText;
import io.millrace.tools.Durations;
import io.millrace.tools.IndentedJson;
import io.millrace.tools.Progress;
import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.SerializationFeature;

@Command(
    name = "watch",
    description =
        "Shows all sequences, or those named, at each interval: redraws a terminal, otherwise prints"
            + " a line. Press Ctrl-C to stop.")
final class WatchCommand extends SequenceCommand {

  private static final String HOME_AND_CLEAR = "\033[H\033[2J";

  private record Row(String name, String kind, long nextValue, double valuesPerSecond) {}

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Only these sequences.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Durations.class,
      description = "The time between two readings, 10ms to 1h (default: ${DEFAULT-VALUE}).")
  private Duration interval;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "" + Integer.MAX_VALUE,
      description = "The number of readings, at least 1 (default: no limit).")
  private int times;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  WatchCommand() {}

  @Override
  void check() {
    Refusals refusals = new Refusals(spec);
    refusals.require("--interval", interval, Duration.ofMillis(10), Duration.ofHours(1));
    refusals.require("--times", times, 1, Integer.MAX_VALUE);
  }

  @Override
  Status run(Counters counters) throws InterruptedException {
    Map<String, Listed> before = new HashMap<>();
    long read = System.nanoTime();
    for (int i = 0; i < times; i++) {
      if (i > 0) {
        Thread.sleep(interval.toMillis());
      }
      List<Listed> now =
          listed(counters).stream()
              .filter(each -> names.isEmpty() || names.contains(each.name()))
              .toList();
      double seconds = Math.max(1, System.nanoTime() - read) / 1e9;
      read = System.nanoTime();
      show(
          now.stream()
              .map(
                  each ->
                      new Row(
                          each.name(),
                          each.kind(),
                          each.nextValue(),
                          Math.round(each.rateSince(before.get(each.name()), seconds) * 10) / 10.0))
              .toList());
      before.clear();
      now.forEach(each -> before.put(each.name(), each));
    }
    return Status.GOOD;
  }

  private void show(List<Row> rows) {
    LocalTime time = LocalTime.now().truncatedTo(ChronoUnit.SECONDS);
    if (json) {
      out()
          .println(
              IndentedJson.builder()
                  .disable(SerializationFeature.INDENT_OUTPUT)
                  .build()
                  .writeValueAsString(rows));
    } else if (Progress.hasTerminal()) {
      out().println(HOME_AND_CLEAR + time + "\n\n" + table(rows));
    } else {
      out().println(time + "  " + line(rows));
    }
    out().flush();
  }

  private static String line(List<Row> rows) {
    return rows.stream()
        .map(row -> ShownText.name(row.name()) + " " + row.nextValue() + " (" + rate(row) + "/s)")
        .collect(Collectors.joining(", "));
  }

  private static String table(List<Row> rows) {
    return new TextTable(
            List.of("name", "kind", "next value", "values/s"),
            2,
            rows.stream()
                .map(
                    row ->
                        List.of(row.name(), row.kind(), String.valueOf(row.nextValue()), rate(row)))
                .toList())
        .text();
  }

  private static String rate(Row row) {
    return String.format(Locale.ROOT, "%.1f", row.valuesPerSecond());
  }
}
