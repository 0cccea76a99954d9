package io.millrace.perf;

import io.millrace.tools.Progress;
import io.millrace.tools.Refusals;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
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
    name = "perf",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = {
      "perf [OPTIONS] [INSTANCE DATABASE] MODE ITERATIONS NUMTHREADS",
      "       perf [OPTIONS] --all [INSTANCE DATABASE]",
      "       perf [OPTIONS] --targets",
      ""
    },
    description = {
      "Measures how many values a second a sequence gives, and how long a client waits for one, as"
          + " the tool of Google's guide \"Sequence generation in Spanner\" does. NUMTHREADS"
          + " clients, which block no thread, take ITERATIONS values in all, and spend the"
          + " application's time after each. Without INSTANCE and DATABASE it uses the Spanner"
          + " emulator, a round trip away.",
      ""
    },
    footerHeading = "%nModes:%n")
public final class Perf implements Callable<Integer> {

  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int MAX_CLIENTS = 10_000;

  /** What a client of Spanner has, unless told otherwise; the next would wait for one. */
  private static final int MAX_SESSIONS = 400;

  private static final int ROW_ITERATIONS = 100_000;
  private static final Duration ROW_LIMIT = Duration.ofSeconds(10);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(5);

  private static final int FAILED = 1;
  private static final int NOTHING_RUN = 3;

  private static final Set<String> OTHER_CONDITIONS =
      Set.of("--batch-size", "--watermark", "--per-transaction", "--app-latency", "--rtt");

  /** What only repeats itself in a chain of causes is cut off. */
  private static final int CAUSES = 5;

  @Parameters(arity = "0..*", hidden = true)
  private List<String> words = new ArrayList<>();

  @Mixin private WorkloadOptions workloads;

  @Option(
      names = "--all",
      description =
          "Runs the guide's table and what the guide does not have, and writes JSON, Markdown and"
              + " charts to target/perf*.")
  private boolean all;

  @Option(
      names = "--targets",
      description = "Runs what the project's targets are about; exit code 1 if one is missed.")
  private boolean targets;

  @Mixin private PlaceOptions place;

  @Mixin private OutputOptions files;

  @Spec private CommandSpec spec;

  private final Places places;
  private final PrintStream out;
  private final boolean terminal = Progress.hasTerminal();

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Perf(Places places, PrintStream out) {
    this.places = places;
    this.out = out;
  }

  static CommandLine commandLine(Places places, PrintStream out) {
    CommandLine command = new CommandLine(new Perf(places, out));
    command.getCommandSpec().usageMessage().footer(modes());
    return command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          boolean nothingRun = failure instanceof NothingToRunOn;
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
   * iteration failed; 1 if not, if a target was missed, or if a run ended with an error; 2 for a
   * wrong option; 3 if there is nothing to run on.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.setProperty("java.awt.headless", "true");
    System.exit(commandLine(new SpannerPlaces(), System.out).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    Workload workload = workload();
    Outputs outputs =
        all ? files.all(Path.of(System.getProperty("millrace.target", "target"))) : files.named();
    List<String> ids =
        words.size() == 5 || severalRuns() ? words.stream().limit(2).toList() : List.of();
    try (Place at = place.open(places, ids, all || workload.mode() == Mode.NATIVE)) {
      Measurements measurements = new Measurements(at, workload, out, terminal);
      String command = String.join(" ", arguments());
      // Closed in any case: an error in one run must not lose those before it.
      Closeable results = () -> outputs.write(command, at.description(), measurements, out);
      try (results) {
        boolean good =
            all ? measurements.all() : targets ? measurements.targets() : measurements.one();
        return good ? 0 : FAILED;
      }
    }
  }

  private List<String> arguments() {
    return spec.commandLine().getParseResult().originalArgs();
  }

  private Workload workload() {
    if (all && targets) {
      throw refusals().wrong("--all and --targets exclude each other");
    }
    if (targets) {
      refuseOtherConditions();
    }
    if (severalRuns()) {
      if (!words.isEmpty() && words.size() != 2) {
        throw refusals()
            .wrong("expected INSTANCE and DATABASE or nothing beside --all, was " + words);
      }
      return workloads.any(Mode.ASYNC_BATCH, ROW_ITERATIONS, 1, ROW_LIMIT);
    }
    if (words.size() != 3 && words.size() != 5) {
      throw refusals()
          .wrong(
              "expected MODE ITERATIONS NUMTHREADS, or these after INSTANCE and DATABASE, was "
                  + words);
    }
    List<String> run = words.subList(words.size() - 3, words.size());
    Mode mode = mode(run.get(0));
    int iterations = number("ITERATIONS", run.get(1), MAX_ITERATIONS);
    int clients = number("NUMTHREADS", run.get(2), MAX_CLIENTS);
    if (mode.holdsSessions()) {
      refusals().require("NUMTHREADS of " + mode + ", a session each,", clients, 1, MAX_SESSIONS);
    }
    return workloads.one(mode, iterations, clients, RUN_LIMIT);
  }

  /** A verdict means something under the conditions that the targets are set for, and no others. */
  private void refuseOtherConditions() {
    List<String> others =
        Stream.concat(
                spec.commandLine().getParseResult().matchedOptions().stream()
                    .map(OptionSpec::longestName)
                    .filter(OTHER_CONDITIONS::contains),
                words.stream())
            .toList();
    if (!others.isEmpty()) {
      throw refusals().wrong("--targets has conditions of its own, and takes nothing of " + others);
    }
  }

  private boolean severalRuns() {
    return all || targets;
  }

  private Mode mode(String name) {
    return Mode.named(name)
        .orElseThrow(
            () -> refusals().wrong("MODE must be one of " + Mode.names() + ", was '" + name + "'"));
  }

  private int number(String name, String text, int max) {
    try {
      int number = Integer.parseInt(text);
      refusals().require(name, number, 1, max);
      return number;
    } catch (NumberFormatException e) {
      throw refusals().wrong(name + " must be a number from 1 to " + max + ", was '" + text + "'");
    }
  }

  private Refusals refusals() {
    return new Refusals(spec);
  }
}
