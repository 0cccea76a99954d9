package io.millrace.perf;

import com.google.cloud.spanner.SpannerOptions;
import io.millrace.emulator.SpannerEmulator;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      "       perf [OPTIONS] --targets [INSTANCE DATABASE]",
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
  private static final int MAX_BATCH = 1_000_000;
  private static final int ROW_ITERATIONS = 100_000;
  private static final Duration ROUND_TRIP = Duration.ofMillis(5);
  private static final Duration ROW_LIMIT = Duration.ofSeconds(10);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(5);
  private static final Path TARGET = Path.of("target");

  @Parameters(arity = "0..*", hidden = true)
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "200",
      description = "Values a block, 2 to 1000000 (default: ${DEFAULT-VALUE}).")
  private long batchSize;

  @Option(
      names = "--watermark",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Values left in the buffer at which the next block is reserved, 1 to the batch size less"
              + " 1 (default: ${DEFAULT-VALUE}).")
  private long watermark;

  @Option(
      names = "--per-transaction",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Values a transaction takes in mode SYNC, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int perTransaction;

  @Option(
      names = "--app-latency",
      paramLabel = "TIME",
      defaultValue = "10ms",
      converter = Durations.class,
      description =
          "What the application does with a value takes this long, 0ms to 60s; in SIMPLE and SYNC"
              + " within the transaction (default: ${DEFAULT-VALUE}).")
  private Duration appLatency;

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "What a proxy adds to each round trip to the emulator, 0ms to 10s; 0ms: no proxy"
              + " (default: 5ms).")
  private @Nullable Duration roundTrip;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "When to stop a run, with or without all iterations, 1s to 60m (default: 5m; with --all"
              + " and --targets 10s).")
  private @Nullable Duration timeLimit;

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

  @Option(
      names = "--project",
      paramLabel = "ID",
      description = "The instance's project (default: the environment's).")
  private @Nullable String project;

  @Option(
      names = "--create",
      description =
          "Makes the table \"sequences\" in DATABASE if it is not there, and for mode NATIVE a"
              + " sequence, which is dropped after the run.")
  private boolean create;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON.")
  private @Nullable Path json;

  @Option(names = "--markdown", paramLabel = "FILE", description = "Writes a table as Markdown.")
  private @Nullable Path markdown;

  @Option(
      names = "--chart",
      paramLabel = "NAME",
      description = "Draws NAME-throughput and NAME-latency, each as .png and .svg.")
  private @Nullable Path chart;

  @Spec private CommandSpec spec;

  private final Supplier<Optional<SpannerEmulator>> emulators;
  private final PrintStream out;
  private final boolean terminal = Boolean.getBoolean("millrace.terminal");

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Perf(Supplier<Optional<SpannerEmulator>> emulators, PrintStream out) {
    this.emulators = emulators;
    this.out = out;
  }

  static CommandLine commandLine(Supplier<Optional<SpannerEmulator>> emulators, PrintStream out) {
    CommandLine command = new CommandLine(new Perf(emulators, out));
    command.getCommandSpec().usageMessage().footer(modes());
    return command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          failed.getErr().println("perf: " + Exceptions.unwrap(failure).getMessage());
          return 1;
        });
  }

  private static String[] modes() {
    return Arrays.stream(Mode.values())
        .map(mode -> String.format(Locale.ROOT, "  %-14s%s", mode, mode.text()))
        .toArray(String[]::new);
  }

  /**
   * Runs the tool and ends the JVM with its exit code: 0 if values were taken and none twice, 1 if
   * not or if a target was missed, 2 for a wrong option.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.setProperty("java.awt.headless", "true");
    System.exit(commandLine(SpannerEmulator::find, System.out).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    Workload workload = workload();
    Outputs outputs = outputs();
    try (Place place = place(all || workload.mode() == Mode.NATIVE)) {
      Measurements measurements = new Measurements(place, workload, out, terminal);
      boolean good =
          all ? measurements.all() : targets ? measurements.targets() : measurements.one();
      outputs.write(String.join(" ", arguments()), place.description(), measurements.runs(), out);
      return good ? 0 : 1;
    }
  }

  private List<String> arguments() {
    return spec.commandLine().getParseResult().originalArgs();
  }

  private Workload workload() {
    Mode mode = Mode.ASYNC_BATCH;
    int iterations = ROW_ITERATIONS;
    int clients = 1;
    if (!severalRuns()) {
      if (words.size() != 3 && words.size() != 5) {
        throw wrong(
            "expected MODE ITERATIONS NUMTHREADS, or these after INSTANCE and DATABASE, was "
                + words);
      }
      List<String> run = words.subList(words.size() - 3, words.size());
      mode = mode(run.get(0));
      iterations = number("ITERATIONS", run.get(1), MAX_ITERATIONS);
      clients = number("NUMTHREADS", run.get(2), MAX_CLIENTS);
    } else if (!words.isEmpty() && words.size() != 2) {
      throw wrong(
          "expected INSTANCE and DATABASE or nothing beside --all or --targets, was " + words);
    }
    if (all && targets) {
      throw wrong("--all and --targets exclude each other");
    }
    require("--batch-size", batchSize, 2, MAX_BATCH);
    require("--watermark", watermark, 1, batchSize - 1);
    require("--per-transaction", perTransaction, 1, 1_000);
    require("--app-latency", appLatency, Duration.ZERO, Duration.ofSeconds(60));
    Duration limit = timeLimit == null ? severalRuns() ? ROW_LIMIT : RUN_LIMIT : timeLimit;
    require("--time-limit", limit, Duration.ofSeconds(1), Duration.ofMinutes(60));
    return new Workload(
        mode, iterations, clients, perTransaction, batchSize, watermark, appLatency, limit);
  }

  private boolean severalRuns() {
    return all || targets;
  }

  private Mode mode(String name) {
    return Mode.named(name)
        .orElseThrow(() -> wrong("MODE must be one of " + Mode.names() + ", was '" + name + "'"));
  }

  private int number(String name, String text, int max) {
    try {
      int number = Integer.parseInt(text);
      require(name, number, 1, max);
      return number;
    } catch (NumberFormatException e) {
      throw wrong(name + " must be a number from 1 to " + max + ", was '" + text + "'");
    }
  }

  private Outputs outputs() throws IOException {
    if (!all) {
      return new Outputs(
          writable("--json", json), writable("--markdown", markdown), writable("--chart", chart));
    }
    Files.createDirectories(TARGET);
    return new Outputs(
        json == null ? TARGET.resolve("perf.json") : writable("--json", json),
        markdown == null ? TARGET.resolve("perf.md") : writable("--markdown", markdown),
        chart == null ? TARGET.resolve("perf") : writable("--chart", chart));
  }

  /** Refuses a file that could not be written, before hours are spent on what it is to hold. */
  private @Nullable Path writable(String option, @Nullable Path file) {
    if (file == null) {
      return null;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isWritable(directory)) {
      throw wrong(option + " " + file + ": the directory " + directory + " cannot be written to");
    }
    return file;
  }

  private Place place(boolean changesSchema) {
    int ids = words.size() == 5 || (severalRuns() && words.size() == 2) ? 2 : 0;
    return ids == 0 ? emulator() : instance(words.get(0), words.get(1), changesSchema);
  }

  private Place emulator() {
    if (project != null || create) {
      throw wrong("--project and --create are for an instance: name INSTANCE and DATABASE");
    }
    Duration added = roundTrip == null ? ROUND_TRIP : roundTrip;
    require("--rtt", added, Duration.ZERO, Duration.ofSeconds(10));
    return emulators
        .get()
        .<Place>map(emulator -> new EmulatorPlace(emulator, added))
        .orElseThrow(
            () ->
                wrong(
                    "no Spanner emulator here; "
                        + SpannerEmulator.HOW_TO_GET
                        + ", or name INSTANCE and DATABASE"));
  }

  private Place instance(String instance, String database, boolean changesSchema) {
    if (roundTrip != null) {
      throw wrong("--rtt is for the emulator; an instance is as far away as it is");
    }
    if (changesSchema && !create) {
      throw wrong(
          "mode NATIVE creates a sequence in "
              + database
              + " and drops it after the run: say --create if it may");
    }
    SpannerOptions.Builder options = SpannerOptions.newBuilder();
    if (project != null) {
      options.setProjectId(project);
    }
    return new InstancePlace(
        interceptors -> options.setInterceptorProvider(interceptors).build().getService(),
        instance,
        database,
        create);
  }

  private void require(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw wrong(option + " must be from " + min + " to " + max + ", was " + value);
    }
  }

  private void require(String option, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw wrong(
          option
              + " must be from "
              + Durations.text(min)
              + " to "
              + Durations.text(max)
              + ", was "
              + Durations.text(value));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
