package io.millrace.perf;

import io.millrace.databases.DatabaseKind;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import io.millrace.tools.Version;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares a {@code RowWriter} with one transaction for each request. */
@Command(
    name = "writer",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Measures a RowWriter: each client inserts invoices and waits for their numbers, which have no"
          + " gaps. For comparison, the same clients run one transaction for each invoice, by hand.",
      ""
    })
final class WriterCommand implements Callable<Integer> {

  /** Where the invoices are. The names are those of the command line. */
  enum Store {
    SPANNER,
    POSTGRES,
    MARIADB
  }

  private static final int MAX_CLIENTS = 10_000;
  private static final int MAX_ROUNDS = 100;

  private static final List<String> HEAD =
      List.of(
          "round",
          "clients",
          "values/s",
          "by hand",
          "ratio",
          "50 %ile ms",
          "by hand",
          "99 %ile ms",
          "by hand",
          "ratio");

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "${COMPLETION-CANDIDATES}: an emulator, or a server that the tool starts.")
  private Store store;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "CLIENTS",
      description = "Numbers of clients, each measured in turn.")
  private List<Integer> clients;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of times that both are measured, in turn, 1 to 100 (default: 3).")
  private int rounds = 3;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Time for which the clients insert, 100ms to 10m (default: 5s).")
  private Duration time = Duration.ofSeconds(5);

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Time for which they insert before that, 0s to 1m (default: 5s).")
  private Duration warmUp = Duration.ofSeconds(5);

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time that a proxy adds to each round trip, 0s to 10s (default: 5ms for SPANNER, otherwise"
              + " 0s).")
  private @Nullable Duration roundTrip;

  @Spec private CommandSpec spec;

  private final BiFunction<Store, Duration, InvoiceDatabase> databases;
  private final PrintStream out;
  private final List<List<String>> table = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param databases opens a store with an added round trip; throws {@link IllegalStateException}
   *     if there is none
   */
  @SuppressWarnings("NullAway.Init") // picocli sets the options
  WriterCommand(BiFunction<Store, Duration, InvoiceDatabase> databases, PrintStream out) {
    this.databases = databases;
    this.out = out;
  }

  /** The emulator of this machine, and the servers of the tests. */
  static InvoiceDatabase open(Store store, Duration roundTrip) {
    return switch (store) {
      case SPANNER -> new SpannerInvoices(Place.emulator(roundTrip));
      case POSTGRES -> new R2dbcInvoices(DatabaseKind.POSTGRESQL, roundTrip);
      case MARIADB -> new R2dbcInvoices(DatabaseKind.MARIADB, roundTrip);
    };
  }

  /** 0 if all rows were written without gaps, 1 if not, 3 if there is no database. */
  @Override
  public Integer call() {
    Refusals refusals = new Refusals(spec);
    clients.forEach(each -> refusals.require("CLIENTS", each, 1, MAX_CLIENTS));
    refusals.require("--rounds", rounds, 1, MAX_ROUNDS);
    refusals.require("--time", time, Duration.ofMillis(100), Duration.ofMinutes(10));
    refusals.require("--warm-up", warmUp, Duration.ZERO, Duration.ofMinutes(1));
    Duration delay =
        roundTrip != null ? roundTrip : Duration.ofMillis(store == Store.SPANNER ? 5 : 0);
    refusals.require("--rtt", delay, Duration.ZERO, Duration.ofSeconds(10));
    InvoiceDatabase database;
    try {
      database = databases.apply(store, delay);
    } catch (IllegalStateException absent) {
      spec.commandLine().getErr().println("perf: " + absent.getMessage());
      return Perf.NOTHING_RUN;
    }
    try (database) {
      out.println(database.description());
      out.println("By hand: " + database.byHand());
      boolean sound = true;
      for (int round = 1; round <= rounds; round++) {
        for (int each : clients) {
          sound &= measure(database, round, each);
        }
      }
      out.printf(Locale.ROOT, "%n%s%n", new TextTable(HEAD, 0, table).text());
      return sound ? 0 : Perf.FAILED;
    }
  }

  private boolean measure(InvoiceDatabase database, int round, int each) {
    Map<Invoices.Way, InvoiceRun> runs = new EnumMap<>(Invoices.Way.class);
    for (Invoices.Way way : inTurn(round)) {
      InvoiceRun run = InvoiceRun.of(database, way, each, warmUp, time);
      print(run);
      runs.put(way, run);
    }
    InvoiceRun writer = Objects.requireNonNull(runs.get(Invoices.Way.WRITER));
    InvoiceRun byHand = Objects.requireNonNull(runs.get(Invoices.Way.BY_HAND));
    table.add(
        List.of(
            "" + round,
            each + (each > database.mostByHand() ? " (" + database.mostByHand() + ")" : ""),
            RunReport.tenths(writer.perSecond()),
            RunReport.tenths(byHand.perSecond()),
            RunReport.ratio(writer.perSecond(), byHand.perSecond()),
            millis(writer.request(), 50),
            millis(byHand.request(), 50),
            millis(writer.request(), 99),
            millis(byHand.request(), 99),
            RunReport.ratio(
                (double) writer.request().percentile(99),
                (double) byHand.request().percentile(99))));
    return writer.sound() && byHand.sound();
  }

  /** The code that runs first in a process is the slower one, so the ways take turns. */
  private static List<Invoices.Way> inTurn(int round) {
    return round % 2 == 1
        ? List.of(Invoices.Way.WRITER, Invoices.Way.BY_HAND)
        : List.of(Invoices.Way.BY_HAND, Invoices.Way.WRITER);
  }

  private void print(InvoiceRun run) {
    out.printf(
        Locale.ROOT,
        "  %-8s %s: %.1f values/s, 50%%ile %s ms, 99%%ile %s ms, %s, %d unfinished, %s %s%n",
        run.way() == Invoices.Way.WRITER ? "writer," : "by hand,",
        RunReport.count(run.clients(), "client"),
        run.perSecond(),
        millis(run.request(), 50),
        millis(run.request(), 99),
        RunReport.count(run.failed(), "error"),
        run.unfinished(),
        RunReport.count(run.rows(), "row"),
        run.withoutGaps() ? "without a gap" : "with a gap");
  }

  private static String millis(Latencies times, double percent) {
    return String.format(Locale.ROOT, "%.2f", times.percentile(percent) / 1e6);
  }
}
