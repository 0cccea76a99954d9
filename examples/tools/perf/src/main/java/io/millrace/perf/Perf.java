package io.millrace.perf;

import io.millrace.internal.LogSafe;
import io.millrace.tools.ClientLog;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import reactor.core.Exceptions;

/** The command line of the tool. */
@Command(
    name = "./millrace perf",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = {
      "perf [OPTIONS] MODE ITERATIONS NUMTHREADS",
      "       perf [OPTIONS] --all",
      "       perf writer [OPTIONS] STORE CLIENTS...",
      "       perf inserts [OPTIONS] STORE",
      ""
    },
    description = {
      "Measures how many values per second a sequence issues, and how long a client waits for one,"
          + " like the tool of Google's guide \"Sequence generation in Spanner\". NUMTHREADS"
          + " non-blocking clients take ITERATIONS values in total, and spend the application's time"
          + " on each. After the mode it measures the same work with a counter in memory or by hand,"
          + " for comparison. It uses the Spanner emulator, with an added round trip, or an"
          + " --instance.",
      ""
    },
    footerHeading = "%nModes:%n")
public final class Perf implements Callable<Integer> {

  static final int FAILED = 1;
  static final int NOTHING_RUN = 3;

  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int MAX_CLIENTS = 10_000;

  /** The default number of sessions of a Spanner client. More clients would wait for a session. */
  static final int MAX_SESSIONS = 400;

  /** The modes of {@code --all}, next to what they are compared with. */
  private static final List<Mode> ALL =
      List.of(
          Mode.BY_HAND,
          Mode.SYNC,
          Mode.COUNTER,
          Mode.ASYNC,
          Mode.BATCH,
          Mode.ASYNC_BATCH,
          Mode.ADAPTIVE,
          Mode.NATIVE,
          Mode.ONE_TXN_EACH);

  private static final List<Integer> CLIENTS_OF_ALL = List.of(10, 50);
  private static final int ITERATIONS_OF_ALL = 100_000;

  @Parameters(arity = "0..3", hidden = true)
  private List<String> positional = new ArrayList<>();

  @Option(names = "--all", description = "Runs all modes with 10 and with 50 clients.")
  private boolean all;

  @Option(
      names = "--app",
      paramLabel = "WORK",
      description =
          "The application's work for each value: transaction, a read-write transaction in the"
              + " sequence's database, or timer, which only waits for the same time. In SIMPLE and"
              + " SYNC the value is taken in that transaction (default: transaction).")
  private Application application = Application.TRANSACTION;

  @Option(
      names = "--app-latency",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Time of the application's work, 0ms to 60s (default: 10ms).")
  private Duration appLatency = Duration.ofMillis(10);

  @Option(
      names = "--per-transaction",
      paramLabel = "N",
      description = "Values per transaction in SYNC and BY_HAND, 1 to 1000 (default: 1).")
  private int perTransaction = 1;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time for which the clients work before the measurement, 0s to 60s (default: 0s, which"
              + " includes the first values).")
  private Duration warmUp = Duration.ZERO;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time after which a run stops even if iterations are left, 1s to 60m (default: 5m; 10s with"
              + " --all).")
  private @Nullable Duration timeLimit;

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time that a proxy adds to each round trip to the emulator, 0ms (no proxy) to 10s (default:"
              + " 5ms).")
  private Duration roundTrip = Duration.ofMillis(5);

  @Option(
      names = "--instance",
      paramLabel = "ID",
      description =
          "An instance of Cloud Spanner, in the environment's project. Each run creates a database"
              + " perf_… in it, and drops it at its end.")
  private @Nullable String instance;

  @Spec private CommandSpec spec;

  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Perf(PrintStream out) {
    this.out = out;
  }

  static CommandLine commandLine(PrintStream out) {
    CommandLine command = new CommandLine(new Perf(out));
    command.addSubcommand(new WriterCommand(WriterCommand::open, out));
    command.addSubcommand(new InsertsCommand(out));
    Refusals.inOneLine("perf", command).setCaseInsensitiveEnumValuesAllowed(true);
    command
        .getCommandSpec()
        .usageMessage()
        .footer(
            Arrays.stream(Mode.values())
                .map(mode -> String.format(Locale.ROOT, "  %-14s%s", mode, mode.text()))
                .toArray(String[]::new));
    return command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          Throwable error = Exceptions.unwrap(failure);
          String cause = error.getCause() == null ? "" : ", caused by " + error.getCause();
          failed.getErr().println("perf: " + error + cause);
          return FAILED;
        });
  }

  /**
   * Runs the tool and ends the JVM with its exit code: 0 if values were taken, none twice, and no
   * iteration failed; 1 if not, or if a run failed; 2 for an invalid option; 3 if there is neither
   * an emulator nor an instance.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ClientLog.hide();
    System.exit(commandLine(System.out).execute(arguments));
  }

  @Override
  public Integer call() {
    Workload workload = workload();
    Place place;
    try {
      place = instance == null ? Place.emulator(roundTrip) : Place.instance(instance);
    } catch (IllegalStateException absent) {
      spec.commandLine().getErr().println("perf: " + absent.getMessage());
      return NOTHING_RUN;
    }
    try (place) {
      out.println(place.description());
      Latencies trips = place.roundTrips();
      out.printf(
          "A small request takes 50%%ile %s ms, 99%%ile %s ms%n",
          trips.millis(50), trips.millis(99));
      return (all ? runAll(workload, place) : runOne(workload, place)) ? 0 : FAILED;
    }
  }

  /** Runs the workload, and then what it is compared with; true if the workload's run is sound. */
  private boolean runOne(Workload workload, Place place) {
    out.printf("%s%n%n", workload);
    Figures run = Run.of(workload, place);
    RunReport report = new RunReport(out);
    report.print(run);
    if (!workload.mode().isComparison()) {
      report.printComparison(run, Run.of(workload.comparison(), place));
    }
    return run.sound();
  }

  /** Runs all modes; true if all results of this project's modes are sound. */
  private boolean runAll(Workload workload, Place place) {
    List<Figures> runs = new ArrayList<>();
    for (Mode mode : ALL) {
      for (int clients : CLIENTS_OF_ALL) {
        Figures run = Run.of(workload.with(mode, clients), place);
        out.printf(Locale.ROOT, "  %s: %.1f values/s%n", run.workload(), run.perSecond());
        runs.add(run);
      }
    }
    new RunReport(out).printTable(runs);
    return runs.stream().allMatch(run -> run.workload().mode().isComparison() || run.sound());
  }

  private Workload workload() {
    Refusals refusals = new Refusals(spec);
    if (positional.size() != (all ? 0 : 3)) {
      throw refusals.refusal(
          "expected "
              + (all ? "nothing with --all" : "MODE ITERATIONS NUMTHREADS")
              + ", was "
              + positional);
    }
    Duration limit =
        timeLimit != null ? timeLimit : all ? Duration.ofSeconds(10) : Duration.ofMinutes(5);
    refusals.require("--per-transaction", perTransaction, 1, 1_000);
    refusals.require("--app-latency", appLatency, Duration.ZERO, Duration.ofSeconds(60));
    refusals.require("--warm-up", warmUp, Duration.ZERO, Duration.ofSeconds(60));
    refusals.require("--time-limit", limit, Duration.ofSeconds(1), Duration.ofMinutes(60));
    refusals.require("--rtt", roundTrip, Duration.ZERO, Duration.ofSeconds(10));
    Workload workload =
        new Workload(
            all ? Mode.SYNC : mode(positional.get(0)),
            all ? ITERATIONS_OF_ALL : number("ITERATIONS", positional.get(1), MAX_ITERATIONS),
            all ? 1 : number("NUMTHREADS", positional.get(2), MAX_CLIENTS),
            perTransaction,
            application,
            appLatency,
            warmUp,
            limit);
    if (workload.holdsSessions()) {
      refusals.require("NUMTHREADS with a session each", workload.clients(), 1, MAX_SESSIONS);
    }
    if (perTransaction > 1 && !all && !workload.mode().takesSeveral()) {
      throw refusals.refusal("--per-transaction is for SYNC and BY_HAND, was " + workload.mode());
    }
    return workload;
  }

  private Mode mode(String name) {
    return Mode.named(name)
        .orElseThrow(
            () ->
                new Refusals(spec)
                    .refusal(
                        "MODE must be one of "
                            + Arrays.toString(Mode.values())
                            + ", was "
                            + LogSafe.quote(name)));
  }

  private int number(String name, String text, int max) {
    try {
      int number = Integer.parseInt(text);
      new Refusals(spec).require(name, number, 1, max);
      return number;
    } catch (NumberFormatException e) {
      throw new Refusals(spec)
          .refusal(name + " must be a number from 1 to " + max + ", was " + LogSafe.quote(text));
    }
  }
}
