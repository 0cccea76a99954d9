package io.millrace.simulate;

import io.millrace.simulate.Planner.Search;
import io.millrace.simulate.Sweep.Point;
import io.millrace.tools.CommandName;
import io.millrace.tools.Durations;
import io.millrace.tools.IndentedJson;
import io.millrace.tools.OutputFile;
import io.millrace.tools.Picture;
import io.millrace.tools.Progress;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line of the simulator. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 110,
    description = {
      "Simulates instances that share a sequence, and recommends a block size, a watermark and a"
          + " number of stripes. Time is virtual; the same options produce the same output.",
      "A duration is a number followed by ns, us, ms, s, m or h."
    })
public final class Simulate implements Callable<Integer> {

  private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";

  @Option(
      names = "--instances",
      defaultValue = "10",
      description = "Number of processes, each with one generator, 1 to 10000" + DEFAULT)
  private int instances;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Values requested per second, over all instances, 0.001 to 1e8" + DEFAULT)
  private double rate;

  @Option(
      names = "--arrivals",
      defaultValue = "poisson",
      description = "Times of the requests: random (poisson) or regular (constant)" + DEFAULT)
  private Scenario.Pattern arrivals;

  @Option(
      names = "--service-time",
      defaultValue = "5ms",
      paramLabel = "TIME",
      converter = DelayConverter.class,
      description =
          "Time that a reservation holds its row's lock, from its read to the end of its commit,"
              + " 0s to 1m: "
              + Delay.SYNTAX
              + DEFAULT)
  private Delay service;

  @Option(
      names = "--rtt",
      defaultValue = "2ms",
      paramLabel = "TIME",
      converter = DelayConverter.class,
      description =
          "The remaining time of a reservation, half before it holds the lock and half after, 0s to"
              + " 1m, in the same form"
              + DEFAULT)
  private Delay roundTrip;

  @Option(
      names = "--stripes",
      defaultValue = "1",
      description = "Number of rows that share the reservations, 1 to 1024" + DEFAULT)
  private int stripes;

  @Option(
      names = "--stripe-choice",
      defaultValue = "two",
      description =
          "How an instance chooses a row: the faster of two (two), or all in turn (roundrobin)"
              + DEFAULT)
  private Scenario.RowChoice choice;

  @Option(
      names = "--lock-order",
      defaultValue = "fifo",
      description = "Which waiting reservation acquires a lock next: fifo or random" + DEFAULT)
  private Scenario.LockOrder lockOrder;

  @Option(
      names = "--block-size",
      defaultValue = "200",
      description =
          "Values in a reservation unless more are needed, 1 to 1000000; 1 is the ordered mode,"
              + " which buffers nothing"
              + DEFAULT)
  private long block;

  @Option(
      names = "--watermark",
      description =
          "Buffered values at which the next reservation starts, 0 (no prefetch) to block size - 1"
              + " (default: a quarter of the block size).")
  private @Nullable Long watermark;

  @Option(
      names = "--max-block-size",
      defaultValue = "10000",
      description =
          "Maximum number of values in a reservation, and of a recommended block size, 2 to 1000000;"
              + " raised to --block-size"
              + DEFAULT)
  private long maxBlock;

  @Option(
      names = "--start",
      defaultValue = "warm",
      description =
          "Initial buffers: as after a long run (warm), or empty, as after a restart of all"
              + " instances (cold)"
              + DEFAULT)
  private Scenario.Start start;

  @Option(
      names = "--duration",
      defaultValue = "10m",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Time to simulate, 1ms to 8784h" + DEFAULT)
  private Duration duration;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of all random numbers" + DEFAULT)
  private long seed;

  @Option(
      names = "--deaths-per-hour",
      defaultValue = "1",
      description =
          "Instances killed per hour, in total, 0 to 1e6, to compute the number of lost values"
              + DEFAULT)
  private double deaths;

  @Option(
      names = "--recommend",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Search for approximately the smallest stripes, block and watermark that reach the goal"
              + DEFAULT)
  private boolean recommend;

  @Option(
      names = "--goal-stall",
      defaultValue = "0.001",
      description = "Goal: the fraction of the values that may wait, 0 to 1" + DEFAULT)
  private double goalStall;

  @Option(
      names = "--goal-busy",
      defaultValue = "0.7",
      description =
          "Goal: the fraction of the time that a row's lock may be held, 0.01 to 0.99" + DEFAULT)
  private double goalBusy;

  @Option(
      names = "--max-stripes",
      defaultValue = "1024",
      description = "Maximum number of stripes to recommend, 1 to 1024" + DEFAULT)
  private int maxStripes;

  @Option(
      names = "--sweep",
      paramLabel = "SETTING=FROM..TO",
      converter = SweepConverter.class,
      description =
          "Simulate several values of block, watermark, stripes, instances or rate, such as"
              + " block=10..10000; the watermark changes in proportion to the block.")
  private @Nullable Sweep sweep;

  @Option(
      names = "--chart",
      paramLabel = "FILE",
      description =
          "Draw the sweep (throughput, p99 of added latency, waiting) to a .png or .svg file; without"
              + " --sweep, blocks from a tenth of --block-size to ten times --block-size, up to --max-block-size.")
  private @Nullable Path chart;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures as JSON.")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Simulate(PrintStream out) {
    this.out = out;
  }

  static CommandLine commandLine(PrintStream out) {
    return Refusals.inOneLine(
        "simulate", new CommandLine(new Simulate(out)).setCommandName(CommandName.of("simulate")));
  }

  /**
   * Runs the simulation and ends the JVM with its exit code: 0; 1 if no settings that reach the
   * goal were found; 2 for an invalid option or a file that cannot be written.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine(System.out).execute(arguments));
  }

  @Override
  public Integer call() {
    try {
      return run();
    } catch (IllegalArgumentException | IOException refused) {
      throw new ParameterException(spec.commandLine(), text(refused), refused);
    }
  }

  private static String text(Throwable refused) {
    return String.valueOf(refused.getMessage());
  }

  private int run() throws IOException {
    Scenario scenario = scenario();
    Sweep chosen = chosenSweep(scenario);
    prepareFiles();
    Report report = new Report(out, deaths);
    Map<String, Object> figures = new LinkedHashMap<>();

    report.model(scenario);
    Outcome outcome = new Simulation(scenario).run();
    report.outcome(scenario, outcome);
    figures.put("scenario", scenario);
    figures.put("outcome", outcome);
    figures.put("deathsPerHour", deaths);
    figures.put("valuesLostPerHour", deaths * outcome.atRisk());

    boolean reached = true;
    if (recommend && scenario.isOrdered()) {
      report.ordered();
    } else if (recommend) {
      Goal goal = new Goal(goalStall, goalBusy);
      Search search;
      try (Progress progress = progress("Searching", -1)) {
        search =
            new Planner(scenario, goal, maxStripes, Planner.MOST_WORK, progress::step).search();
      }
      report.search(search, goal, scenario, maxStripes);
      figures.put("goal", goal);
      figures.put("search", search);
      reached = search.plan() != null;
    }
    if (chosen != null) {
      List<Point> points;
      try (Progress progress = progress("Sweeping", chosen.values().size())) {
        points = chosen.run(scenario, progress::step);
      }
      report.sweep(chosen, points);
      figures.put("sweep", new Swept(chosen.setting(), points));
      if (chart != null) {
        new OutputFile("--chart", chart).write(new SweepChart(chosen, points)::write);
        out.println("Chart: " + chart);
      }
    }
    if (json != null) {
      String text = IndentedJson.builder().build().writeValueAsString(figures);
      new OutputFile("--json", json).write(file -> Files.writeString(file, text + "\n"));
    }
    return reached ? 0 : 1;
  }

  /** A sweep, as JSON. */
  private record Swept(Sweep.Setting setting, List<Point> points) {}

  private static Progress progress(String task, long runs) {
    return new Progress(task, runs, " runs", Progress.hasTerminal());
  }

  private Scenario scenario() {
    Limits.require("--max-block-size", maxBlock, 2, Limits.LARGEST_BLOCK);
    Limits.require("--deaths-per-hour", deaths, 0, 1e6);
    Limits.require("--goal-stall", goalStall, 0, 1);
    Limits.require("--goal-busy", goalBusy, 0.01, 0.99);
    Limits.require("--max-stripes", maxStripes, 1, Limits.MOST_STRIPES);
    Scenario scenario =
        new Scenario(
            instances,
            rate,
            arrivals,
            service,
            roundTrip,
            stripes,
            choice,
            lockOrder,
            block,
            watermark == null ? block / 4 : watermark,
            Math.max(maxBlock, block),
            start,
            duration.toNanos(),
            seed);
    Limits.check(scenario);
    return scenario;
  }

  private @Nullable Sweep chosenSweep(Scenario scenario) {
    Sweep chosen = sweep == null && chart != null ? Sweep.ofBlocks(scenario) : sweep;
    if (chosen != null) {
      Limits.check(chosen, scenario);
    }
    return chosen;
  }

  private void prepareFiles() throws IOException {
    if (chart != null) {
      if (!Picture.isPicture(chart)) {
        throw new IllegalArgumentException("--chart must end with .png or .svg, was " + chart);
      }
      new OutputFile("--chart", chart).prepare();
    }
    if (json != null) {
      new OutputFile("--json", json).prepare();
    }
  }

  /** Makes picocli report a wrong value with the name of the option. */
  private abstract static class Converter<T> implements ITypeConverter<T> {

    abstract T parse(String text);

    @Override
    public final T convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException refused) {
        throw new TypeConversionException(text(refused));
      }
    }
  }

  static final class DelayConverter extends Converter<Delay> {
    @Override
    Delay parse(String text) {
      return Delay.parse(text);
    }
  }

  static final class SweepConverter extends Converter<Sweep> {
    @Override
    Sweep parse(String text) {
      return Sweep.parse(text);
    }
  }
}
