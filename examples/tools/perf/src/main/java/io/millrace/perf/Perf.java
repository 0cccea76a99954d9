package io.millrace.perf;

import io.millrace.internal.LogSafe;
import io.millrace.tools.ClientLog;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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
      "perf [OPTIONS] [INSTANCE DATABASE] MODE ITERATIONS NUMTHREADS",
      "       perf [OPTIONS] --all [INSTANCE DATABASE]",
      "       perf [OPTIONS] --targets",
      "       perf writer [OPTIONS] STORE CLIENTS...",
      "       perf inserts [OPTIONS] STORE",
      ""
    },
    description = {
      "Measures how many values per second a sequence issues, and how long a client waits for one,"
          + " like the tool of Google's guide \"Sequence generation in Spanner\". NUMTHREADS"
          + " non-blocking clients take ITERATIONS values in total, and spend the application's time"
          + " on each. After the mode it measures the same work with a counter in memory or by hand,"
          + " for comparison. Without INSTANCE and DATABASE it uses the Spanner emulator, with an"
          + " added round trip.",
      ""
    },
    footerHeading = "%nModes:%n")
public final class Perf implements Callable<Integer> {

  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int MAX_CLIENTS = 10_000;

  /** The default number of sessions of a Spanner client. More clients would wait for a session. */
  private static final int MAX_SESSIONS = 400;

  private static final int ROW_ITERATIONS = 100_000;
  private static final Duration ROW_LIMIT = Duration.ofSeconds(10);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(5);

  static final int FAILED = 1;
  static final int NOTHING_RUN = 3;

  private static final Set<String> OTHER_CONDITIONS =
      Set.of(
          "--block-size",
          "--watermark",
          "--per-transaction",
          "--app",
          "--app-latency",
          "--warm-up",
          "--rtt");

  /** The most causes that are printed; a longer chain only repeats itself. */
  private static final int CAUSES = 5;

  @Parameters(arity = "0..*", hidden = true)
  private List<String> positional = new ArrayList<>();

  @Mixin private WorkloadOptions workloads;

  @Option(names = "--all", description = "Runs all modes with 10 and with 50 clients.")
  private boolean all;

  @Option(
      names = "--targets",
      description = "Checks the project's targets. Exit code 1 if a target is missed.")
  private boolean targets;

  @Mixin private PlaceOptions place;

  @Spec private CommandSpec spec;

  private final Places places;
  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Perf(Places places, PrintStream out) {
    this.places = places;
    this.out = out;
  }

  static CommandLine commandLine(Places places, PrintStream out) {
    CommandLine command = new CommandLine(new Perf(places, out));
    command.addSubcommand(
        new WriterCommand((store, roundTrip) -> WriterCommand.open(places, store, roundTrip), out));
    command.addSubcommand(new InsertsCommand(out));
    Refusals.inOneLine("perf", command).setCaseInsensitiveEnumValuesAllowed(true);
    command.getCommandSpec().usageMessage().footer(modes());
    return command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          boolean nothingRun = failure instanceof NoSpannerException;
          failed.getErr().println("perf: " + (nothingRun ? failure.getMessage() : causes(failure)));
          return nothingRun ? NOTHING_RUN : FAILED;
        });
  }

  private static String causes(Throwable failure) {
    return Stream.iterate(Exceptions.unwrap(failure), Objects::nonNull, Throwable::getCause)
        .limit(CAUSES)
        .map(Throwable::toString)
        .collect(Collectors.joining(System.lineSeparator() + "  caused by "));
  }

  private static String[] modes() {
    return Arrays.stream(Mode.values())
        .map(mode -> String.format(Locale.ROOT, "  %-14s%s", mode, mode.text()))
        .toArray(String[]::new);
  }

  /**
   * Runs the tool and ends the JVM with its exit code: 0 if values were taken, none twice, and no
   * iteration failed; 1 if not, if a target was missed, or if a run failed; 2 for an invalid
   * option; 3 if there is neither an emulator nor an instance.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ClientLog.hideUnless(false);
    System.exit(commandLine(new SpannerPlaces(), System.out).execute(arguments));
  }

  @Override
  public Integer call() {
    Workload workload = workload();
    List<String> ids =
        positional.size() == 5 || severalRuns() ? positional.stream().limit(2).toList() : List.of();
    try (Place at = place.open(places, ids, all || workload.mode() == Mode.NATIVE)) {
      Measurements measurements = new Measurements(at, workload, out);
      boolean good =
          all ? measurements.all() : targets ? measurements.targets() : measurements.one();
      return good ? 0 : FAILED;
    }
  }

  private Workload workload() {
    if (all && targets) {
      throw refusals().refusal("--all and --targets exclude each other");
    }
    if (targets) {
      refuseOtherConditions();
    }
    if (severalRuns()) {
      if (!positional.isEmpty() && positional.size() != 2) {
        throw refusals()
            .refusal(
                "expected INSTANCE and DATABASE or nothing with --all or --targets, was "
                    + positional);
      }
      return workloads.any(Mode.ASYNC_BATCH, ROW_ITERATIONS, 1, ROW_LIMIT);
    }
    if (positional.size() != 3 && positional.size() != 5) {
      throw refusals()
          .refusal(
              "expected MODE ITERATIONS NUMTHREADS, or these after INSTANCE and DATABASE, was "
                  + positional);
    }
    List<String> run = positional.subList(positional.size() - 3, positional.size());
    Mode mode = mode(run.get(0));
    int iterations = number("ITERATIONS", run.get(1), MAX_ITERATIONS);
    int clients = number("NUMTHREADS", run.get(2), MAX_CLIENTS);
    Workload workload = workloads.one(mode, iterations, clients, RUN_LIMIT);
    if (workload.holdsSessions()) {
      String holders = mode.holdsSessions() ? mode.toString() : "--app transaction";
      refusals()
          .require("NUMTHREADS of " + holders + ", a session each,", clients, 1, MAX_SESSIONS);
    }
    return workload;
  }

  /** The targets are defined for fixed conditions, so options that change them are refused. */
  private void refuseOtherConditions() {
    List<String> others =
        Stream.concat(
                spec.commandLine().getParseResult().matchedOptions().stream()
                    .map(OptionSpec::longestName)
                    .filter(OTHER_CONDITIONS::contains),
                positional.stream())
            .toList();
    if (!others.isEmpty()) {
      throw refusals().refusal("--targets has fixed conditions and does not accept " + others);
    }
  }

  private boolean severalRuns() {
    return all || targets;
  }

  private Mode mode(String name) {
    return Mode.named(name)
        .orElseThrow(
            () ->
                refusals()
                    .refusal(
                        "MODE must be one of " + Mode.names() + ", was " + LogSafe.quote(name)));
  }

  private int number(String name, String text, int max) {
    try {
      int number = Integer.parseInt(text);
      refusals().require(name, number, 1, max);
      return number;
    } catch (NumberFormatException e) {
      throw refusals()
          .refusal(name + " must be a number from 1 to " + max + ", was " + LogSafe.quote(text));
    }
  }

  private Refusals refusals() {
    return new Refusals(spec);
  }
}
