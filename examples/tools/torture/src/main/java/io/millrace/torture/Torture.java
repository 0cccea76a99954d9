package io.millrace.torture;

import io.millrace.databases.DatabaseKind;
import io.millrace.internal.LogSafe;
import io.millrace.tools.ClientLog;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the tool. */
@Command(
    name = "./millrace torture",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Starts processes that take values in every mode, kills, pauses and restarts them, and then"
          + " checks the values that their subscribers received: no value twice, order where it is"
          + " promised, no more gaps than documented, and committed rows numbered 1 to N.",
      "",
      "Exit code 0: no promise was broken. 1: a promise was broken. 2: a wrong option. 3: the database"
          + " could not be started. 4: not proved, because too little happened or the tool failed. 7:"
          + " the tool could not be built.",
      ""
    })
public final class Torture implements Callable<Integer> {

  static final int BROKEN = 1;
  static final int NOTHING_RUN = 3;
  static final int NOT_PROVED = 4;

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(24);

  enum Store {
    SPANNER,
    POSTGRES,
    MYSQL,
    MARIADB,
    H2_SERVER;

    Database start() {
      return switch (this) {
        case SPANNER -> SpannerDatabase.start();
        case POSTGRES -> ServerDatabase.start(DatabaseKind.POSTGRESQL);
        case MYSQL -> ServerDatabase.start(DatabaseKind.MYSQL);
        case MARIADB -> ServerDatabase.start(DatabaseKind.MARIADB);
        case H2_SERVER -> H2Database.start();
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  @Option(
      names = "--processes",
      defaultValue = "6",
      description = "Number of processes at a time, 1 to 100. Default: ${DEFAULT-VALUE}")
  private int processes;

  @Option(names = "--minutes", description = "Duration in minutes. Default: 1")
  private @Nullable Double minutes;

  @Option(
      names = "--time",
      converter = Durations.class,
      description = "Duration with a unit, such as 20s: 1s to 24h.")
  private @Nullable Duration time;

  @Option(
      names = "--kill-every",
      defaultValue = "300ms",
      converter = Durations.class,
      description =
          "Time between two kills, 1ms to 24h. Nine times out of ten, a process is killed only after"
              + " it has received values in all modes. Default: ${DEFAULT-VALUE}")
  private Duration killEvery;

  @Option(
      names = "--store",
      defaultValue = "h2-server",
      description =
          "spanner (the emulator), postgres, mysql, mariadb or h2-server. Default:"
              + " ${DEFAULT-VALUE}")
  private String store;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description =
          "Maximum number of values per second that a process takes in each mode, 1 to 1000000."
              + " Default: ${DEFAULT-VALUE}")
  private int rate;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description =
          "Factor for the sizes of blocks and requests, 1 to 1000: more values with the same number"
              + " of reservations. Default: ${DEFAULT-VALUE}")
  private int scale;

  @Option(
      names = "--places",
      defaultValue = "0",
      description =
          "Approximate number of generators by name that a process keeps for each store, up to 100;"
              + " others are evicted continually. Default: 0, which means one for each name.")
  private int places;

  @Option(
      names = "--proxy",
      description =
          "Puts a proxy between each process and the database, which delays, drips, cuts and silences"
              + " connections.")
  private boolean proxy;

  @Option(
      names = "--sabotage",
      description = "Deliberately issues a value twice. The checks must find it: exit code 1.")
  private boolean sabotage;

  @Option(
      names = "--soak",
      description =
          "Runs one process, without kills, over a network that fails every few seconds. At the end,"
              + " no resources may have leaked, and the heap must not have grown.")
  private boolean soak;

  @Option(
      names = "--subscribers",
      defaultValue = "200",
      description =
          "With --soak, number of subscribers at a time, 14 to 10000. Default: ${DEFAULT-VALUE}")
  private int subscribers;

  @Option(names = "--seed", description = "Seed of the choice of faults. Default: random.")
  private @Nullable Long seed;

  @Option(
      names = "--directory",
      description =
          "Directory for the files of the processes, which are kept. Default: a temporary directory"
              + " that is deleted if the exit code is 0.")
  private @Nullable Path directory;

  @Spec private CommandSpec spec;

  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Torture(PrintStream out) {
    this.out = out;
  }

  static CommandLine commandLine(PrintStream out) {
    CommandLine command = Refusals.inOneLine("torture", new CommandLine(new Torture(out)));
    command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          failed.getErr().println("torture: " + failure);
          failure.printStackTrace(failed.getErr());
          return NOT_PROVED;
        });
    return command;
  }

  /**
   * Runs the tool and ends the JVM with its exit code: see {@code --help}.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ClientLog.hideUnless(false);
    System.exit(commandLine(System.out).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Plan plan = plan();
    Store chosen = chosenStore();
    Database database;
    try {
      database = chosen.start();
    } catch (IllegalStateException e) {
      spec.commandLine().getErr().println("torture: " + e.getMessage());
      return NOTHING_RUN;
    }
    try (database) {
      out.printf(
          "%s for %s on %s, seed %d%n%n",
          soak ? subscribers + " subscribers" : plan.processes() + " processes",
          Durations.text(plan.time()),
          database.description(),
          plan.seed());
      return soak ? soak(plan, database) : run(plan, database);
    }
  }

  private int soak(Plan plan, Database database) throws IOException, InterruptedException {
    int code = new Soak(plan, database, subscribers).run(out);
    return end(plan, code == 0 || code == BROKEN ? code : NOT_PROVED);
  }

  private int run(Plan plan, Database database) throws IOException, InterruptedException {
    try (Run run = new Run(plan, database)) {
      run.run();
      Report report = report(plan, database, run);
      report.print(out);
      return end(plan, report.exitCode());
    }
  }

  private int end(Plan plan, int code) throws IOException {
    if (directory == null && code == 0) {
      delete(plan.directory());
    } else {
      out.println("The files of the processes are in " + plan.directory());
    }
    return code;
  }

  private Report report(Plan plan, Database database, Run run) {
    Findings findings = new Findings(plan.directory(), plan.sizes());
    long ended = 0;
    for (Mode mode : database.modes()) {
      Requests requests = mode.isTimed() ? findings.readRequests(mode) : new Requests();
      Deaths deaths =
          Deaths.of(mode, plan.directory(), run.workers(), run.faults().get(Faults.Kind.KILL));
      ended += deaths.disposals();
      long reserved = database.reserved(mode);
      if (mode.isTimed()) {
        findings.checkRequests(mode, requests, reserved, deaths);
      } else {
        findings.checkValues(mode, reserved, deaths);
      }
      if (mode.insertsRows()) {
        Long2LongOpenHashMap rows = new Long2LongOpenHashMap();
        database.access().readRows(mode, rows::put);
        findings.checkRows(mode, rows, requests, reserved);
      }
    }
    List<Violation> violations = new ArrayList<>(run.violations());
    violations.addAll(findings.violations());
    Books books = Books.of(plan.directory(), database.modes(), run.workers());
    violations.addAll(books.violations());
    List<String> missing = Enough.missing(plan.time(), run.faults(), findings.results());
    if (places > 0) {
      out.printf("%,d generators were disposed or evicted%n%n", ended);
      Enough.require(missing, "disposals and evictions", ended, plan.time().toSeconds());
    }
    return new Report(
        run.faults(),
        findings.results(),
        run.counterReadings(),
        books.checked(),
        violations,
        run.late(),
        missing);
  }

  private Plan plan() throws IOException {
    Refusals refusals = new Refusals(spec);
    refusals.require("--processes", processes, 1, 100);
    refusals.require("--subscribers", subscribers, 14, 10_000);
    refusals.require("--rate", rate, 1, 1_000_000);
    refusals.require("--scale", scale, 1, 1000);
    refusals.require("--places", places, 0, 100);
    refusals.require("--kill-every", killEvery, Duration.ofMillis(1), LONGEST);
    if (minutes != null && time != null) {
      throw refusals.refusal("--minutes and --time exclude each other");
    }
    Duration chosen =
        time != null
            ? time
            : Duration.ofMillis(Math.round((minutes == null ? 1 : minutes) * 60_000));
    refusals.require(time == null ? "--minutes" : "--time", chosen, SHORTEST, LONGEST);
    Path files =
        directory == null
            ? Files.createTempDirectory("millrace-torture")
            : Files.createDirectories(directory);
    return new Plan(
        processes,
        chosen,
        killEvery,
        new Sizes(scale),
        rate,
        proxy,
        sabotage,
        places,
        seed == null ? System.nanoTime() : seed,
        files.toAbsolutePath());
  }

  private Store chosenStore() {
    return Stream.of(Store.values())
        .filter(candidate -> candidate.toString().equals(store))
        .findFirst()
        .orElseThrow(
            () ->
                new Refusals(spec)
                    .refusal(
                        "--store must be spanner, postgres, mysql, mariadb or h2-server, was "
                            + LogSafe.quote(store)));
  }

  private static void delete(Path files) throws IOException {
    try (Stream<Path> all = Files.walk(files)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
