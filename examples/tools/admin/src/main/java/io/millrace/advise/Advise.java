package io.millrace.advise;

import io.millrace.admin.ConnectionOptions;
import io.millrace.admin.Failures;
import io.millrace.admin.Status;
import io.millrace.advisor.Advice;
import io.millrace.advisor.DdlDialect;
import io.millrace.advisor.ReportFormat;
import io.millrace.advisor.SchemaAdvisor;
import io.millrace.advisor.SchemaFileException;
import io.millrace.advisor.Severity;
import io.millrace.advisor.SpannerAdvisor;
import io.millrace.tools.ClientLog;
import io.millrace.tools.CommandName;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the advisor. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Finds hotspots in a schema: keys and indexes that concentrate all writes in one place.",
      "",
      "Reads the schema from files with DDL for Spanner, from a Spanner database, or from a"
          + " database with an R2DBC URL.",
      "",
      "Exit status 0: no finding of the severity of --fail-on or above. 1: a finding. 2: a wrong"
          + " option, a file that cannot be read, or files without a table. 3: the database cannot"
          + " be reached. 4: another error. 5: the database refused the login. 7: the tool could not"
          + " be built.",
      ""
    })
public final class Advise implements Callable<Integer> {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "DDL files of one schema, read in this order, and folders of such files.")
  private List<Path> files;

  @Option(
      names = "--dialect",
      paramLabel = "DIALECT",
      defaultValue = "googlesql",
      description =
          "The dialect of the files: googlesql or postgresql (default: ${DEFAULT-VALUE}).")
  private String dialect;

  @Mixin private ConnectionOptions connection;

  @Option(
      names = "--sample",
      paramLabel = "ROWS",
      description = {
        "Samples this many keys of each table, 20 to 100000, and reads Spanner's statistics of"
            + " splits and locks. The database scans the whole key column of each table."
      })
  private @Nullable Integer sample;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "warning",
      description =
          "The lowest severity that causes exit status 1: error, warning, info or never (default:"
              + " ${DEFAULT-VALUE}).")
  private String failOn;

  @Option(
      names = "--suppressions",
      paramLabel = "FILE",
      description = {
        "A file of findings to ignore: a rule, a table or an index, and a reason on each line. In a"
            + " DDL file, a comment at the statement has the same effect:"
            + " -- advise:ignore RULE REASON"
      })
  private @Nullable Path suppressions;

  @Option(names = "--json", description = "Prints JSON, for scripts.")
  private boolean json;

  @Option(names = "--sarif", description = "Prints SARIF 2.1.0, for code review.")
  private boolean sarif;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = Durations.class,
      description =
          "The time limit of a request over R2DBC, 1ms to 1h (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Option(
      names = "--verbose",
      description = "Prints the stack trace of an error, and the log of the database client.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Advise() {}

  static CommandLine commandLine() {
    return Failures.printedBy(
        new CommandLine(new Advise()).setCommandName(CommandName.of("advise")));
  }

  /**
   * Runs the tool and ends the JVM with its exit status: see {@code --help}.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  @Override
  public Integer call() {
    ClientLog.hideUnless(verbose);
    Refusals refusals = new Refusals(spec);
    refusals.require("--timeout", timeout, Duration.ofMillis(1), Duration.ofHours(1));
    if (sample != null) {
      refusals.require("--sample", sample, 20, 100_000);
    }
    if (json && sarif) {
      throw refusals.refusal("--json and --sarif exclude each other");
    }
    boolean fromFiles = files != null && !files.isEmpty();
    if (fromFiles && (connection.isNamed() || sample != null)) {
      throw refusals.refusal("files cannot be combined with --sample or options of a database");
    }
    DdlDialect ofFiles = named("--dialect", dialect, DdlDialect::of, refusals);
    Optional<Severity> least = named("--fail-on", failOn, Severity::failingFrom, refusals);
    try {
      Advice advice =
          fromFiles
              ? advice(SchemaAdvisor.ofFiles(ofFiles, files.toArray(Path[]::new)))
              : ofDatabase(refusals);
      print(advice);
      boolean fails = least.map(advice::from).filter(found -> !found.isEmpty()).isPresent();
      return (fails ? Status.FINDINGS : Status.GOOD).code();
    } catch (SchemaFileException refused) {
      throw refusals.refusal(String.valueOf(refused.getMessage()));
    }
  }

  private static <T> T named(
      String option, String name, Function<String, T> constants, Refusals refusals) {
    try {
      return constants.apply(name);
    } catch (IllegalArgumentException unknown) {
      throw refusals.refusal(option + ": " + unknown.getMessage());
    }
  }

  private Advice advice(SchemaAdvisor advisor) {
    return (suppressions == null ? advisor : advisor.ignoringThoseIn(suppressions)).advice();
  }

  private Advice ofDatabase(Refusals refusals) {
    ConnectionOptions.@Nullable SpannerDatabase spanner = connection.spanner().orElse(null);
    if (spanner != null) {
      try {
        return advice(sampled(SpannerAdvisor.of(spanner.client().getDatabaseClient(spanner.id()))));
      } finally {
        spanner.client().close();
      }
    }
    R2dbcQuery query = new R2dbcQuery(connection.connections(), timeout);
    return query
        .catalog()
        .map(catalog -> advice(sampled(SchemaAdvisor.of(catalog, query))))
        .orElseThrow(
            () ->
                refusals.refusal(
                    "the advisor supports h2, postgresql, mysql, mariadb and cloudspanner"));
  }

  private SchemaAdvisor sampled(SchemaAdvisor advisor) {
    return sample == null ? advisor : advisor.sampling(sample);
  }

  private void print(Advice advice) {
    ReportFormat format =
        json
            ? ReportFormat.JSON
            : sarif
                ? ReportFormat.SARIF
                : Boolean.getBoolean("millrace.terminal")
                    ? ReportFormat.COLOURED_TEXT
                    : ReportFormat.TEXT;
    PrintWriter out = spec.commandLine().getOut();
    out.println(format.print(advice));
    out.flush();
  }
}
