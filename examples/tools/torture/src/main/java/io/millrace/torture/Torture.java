package io.millrace.torture;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.millrace.databases.DatabaseKind;
import io.millrace.tools.ClientLog;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
      "Starts processes that take values, kills, pauses and restarts them, and then checks what their"
          + " subscribers received.",
      "Exit code 0: no promise was broken. 1: a promise was broken. 2: a wrong option. 3: no database."
          + " 4: not proved, because too little happened or the tool failed. 7: not built.",
      ""
    })
public final class Torture implements Callable<Integer> {

  static final int BROKEN = 1;
  static final int NOTHING_RUN = 3;
  static final int NOT_PROVED = 4;

  private static final Duration LONGEST = Duration.ofHours(2);

  /** The databases; the names are those of the command line. */
  enum Store {
    POSTGRES(DatabaseKind.POSTGRESQL),
    MYSQL(DatabaseKind.MYSQL),
    MARIADB(DatabaseKind.MARIADB),
    SPANNER(DatabaseKind.SPANNER);

    private final DatabaseKind kind;

    Store(DatabaseKind kind) {
      this.kind = kind;
    }
  }

  @Option(
      names = "--store",
      defaultValue = "postgres",
      description = "${COMPLETION-CANDIDATES} (the emulator). Default: ${DEFAULT-VALUE}")
  private Store store;

  @Option(
      names = "--workload",
      split = ",",
      description = "${COMPLETION-CANDIDATES}, separated by commas. Default: all")
  private Set<Mode.Workload> workloads = EnumSet.allOf(Mode.Workload.class);

  @Option(
      names = "--time",
      defaultValue = "1m",
      converter = Durations.class,
      description = "Duration, 1s to 2h. Default: ${DEFAULT-VALUE}")
  private Duration time;

  @Option(
      names = "--processes",
      defaultValue = "6",
      description = "Number of processes at a time, 1 to 100. Default: ${DEFAULT-VALUE}")
  private int processes;

  @Option(
      names = "--kill-every",
      defaultValue = "300ms",
      converter = Durations.class,
      description =
          "Time between two kills, most of processes that have received values, 1ms to 2h. Default:"
              + " ${DEFAULT-VALUE}")
  private Duration killEvery;

  @Option(
      names = "--proxy",
      description =
          "Puts a proxy between each process and the database, which delays, drips, cuts and silences"
              + " connections.")
  private boolean proxy;

  @Option(
      names = "--places",
      defaultValue = "100",
      description =
          "About how many generators a process keeps, 1 to 100; with fewer than 4, they are evicted"
              + " continually. Default: ${DEFAULT-VALUE}")
  private int places;

  @Option(
      names = "--sabotage",
      description = "Issues a value twice and loses a row. The checks must find both: exit code 1.")
  private boolean sabotage;

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
    command.setCaseInsensitiveEnumValuesAllowed(true);
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
    ClientLog.hide();
    System.exit(commandLine(System.out).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Refusals refusals = new Refusals(spec);
    refusals.require("--time", time, Duration.ofSeconds(1), LONGEST);
    refusals.require("--processes", processes, 1, 100);
    refusals.require("--kill-every", killEvery, Duration.ofMillis(1), LONGEST);
    refusals.require("--places", places, 1, 100);
    Database database;
    try {
      database = store.kind.isSpanner() ? SpannerAccess.start() : R2dbcAccess.start(store.kind);
    } catch (IllegalStateException e) {
      spec.commandLine().getErr().println("torture: " + e.getMessage());
      return NOTHING_RUN;
    }
    try (database) {
      return run(plan(), database);
    }
  }

  private Run.Plan plan() throws IOException {
    List<Mode> modes =
        Stream.of(Mode.values()).filter(mode -> workloads.contains(mode.workload())).toList();
    Path files =
        directory == null
            ? Files.createTempDirectory("millrace-torture")
            : Files.createDirectories(directory).toAbsolutePath();
    return new Run.Plan(
        store.kind, modes, processes, time, killEvery, proxy, places, sabotage, files);
  }

  private int run(Run.Plan plan, Database database) throws IOException, InterruptedException {
    out.printf(
        "%d processes for %s on %s%n%n", processes, Durations.text(time), database.description());
    Report report;
    try (Run run = new Run(plan, database)) {
      run.run();
      report = Report.of(time, run, checked(plan, database, run));
    }
    report.print(out);
    if (directory == null && report.exitCode() == 0) {
      MoreFiles.deleteRecursively(plan.directory(), RecursiveDeleteOption.ALLOW_INSECURE);
    } else {
      out.println("The files of the processes are in " + plan.directory());
    }
    return report.exitCode();
  }

  private Checker checked(Run.Plan plan, Database database, Run run) {
    Checker checker = new Checker(plan.directory(), run.faults().getOrDefault(Fault.KILL, 0L));
    for (Mode mode : plan.modes()) {
      long reserved = database.access().nextValue(mode) - 1;
      if (mode.insertsRows()) {
        Map<Long, Long> rows = database.access().readRows(mode);
        if (sabotage) {
          rows.values().remove(1L);
        }
        checker.checkRows(mode, rows, reserved);
      } else {
        checker.checkValues(mode, reserved);
      }
    }
    if (places < plan.modes().size()) {
      out.printf(
          "%,d generators were disposed or evicted%n%n",
          plan.modes().stream().mapToLong(mode -> checker.sum(mode, Tape.Count.CLOSED)).sum());
    }
    return checker;
  }
}
