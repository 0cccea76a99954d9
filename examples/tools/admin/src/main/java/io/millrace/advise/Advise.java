package io.millrace.advise;

import com.google.cloud.spanner.Dialect;
import io.millrace.admin.ConnectionOptions;
import io.millrace.admin.Failures;
import io.millrace.admin.Status;
import io.millrace.advisor.Advice;
import io.millrace.advisor.Rule;
import io.millrace.advisor.SchemaAdvisor;
import io.millrace.advisor.Severity;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.tools.ClientLog;
import io.millrace.tools.CommandName;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
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
      "Reads the schema from files with DDL for Spanner, which are loaded into a Spanner emulator,"
          + " from a Spanner database, or from a database with an R2DBC URL.",
      "",
      "Exit status 0: no finding of the severity of --fail-on or above. 1: a finding. 2: a wrong"
          + " option, a file that cannot be read, or a statement that the emulator refuses. 3: the database or the emulator cannot be"
          + " reached. 4: another error. 5: the database refused the login. 7: the tool could not be built.",
      ""
    })
public final class Advise implements Callable<Integer> {

  private enum FailOn {
    error(Severity.ERROR),
    warning(Severity.WARNING),
    info(Severity.INFO),
    never(null);

    final @Nullable Severity least;

    FailOn(@Nullable Severity least) {
      this.least = least;
    }
  }

  private enum FileDialect {
    googlesql(Dialect.GOOGLE_STANDARD_SQL),
    postgresql(Dialect.POSTGRESQL);

    final Dialect dialect;

    FileDialect(Dialect dialect) {
      this.dialect = dialect;
    }
  }

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "DDL files, loaded in this order.")
  private List<Path> files;

  @Option(
      names = "--dialect",
      paramLabel = "DIALECT",
      defaultValue = "googlesql",
      description =
          "The dialect of the files: googlesql or postgresql (default: ${DEFAULT-VALUE}).")
  private FileDialect dialect;

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
  private FailOn failOn;

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
  public Integer call() throws IOException {
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
    List<DdlFile.Harmless> harmless = new ArrayList<>(suppressed(refusals));
    Report report = fromFiles ? ofFiles(refusals, harmless) : ofDatabase(refusals, harmless);
    print(report);
    Severity least = failOn.least;
    return (least == null || report.advice().from(least).isEmpty() ? Status.GOOD : Status.FINDINGS)
        .code();
  }

  private List<DdlFile.Harmless> suppressed(Refusals refusals) {
    if (suppressions == null) {
      return List.of();
    }
    List<DdlFile.Harmless> harmless = new ArrayList<>();
    List<String> lines = lines(refusals, suppressions);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split("\\s+", 3);
      if (words.length < 3) {
        throw refusals.refusal(
            suppressions
                + ":"
                + (i + 1)
                + ": a rule, a table or an index, and a reason are needed");
      }
      try {
        harmless.add(new DdlFile.Harmless(Rule.of(words[0]), words[1], words[2]));
      } catch (IllegalArgumentException unknown) {
        throw refusals.refusal(suppressions + ":" + (i + 1) + ": " + unknown.getMessage());
      }
    }
    return harmless;
  }

  private static List<String> lines(Refusals refusals, Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException missing) {
      throw refusals.refusal("there is no file " + file);
    } catch (CharacterCodingException other) {
      throw refusals.refusal(file + " is not UTF-8 text");
    } catch (IOException failure) {
      throw refusals.refusal(file + " cannot be read: " + failure.getMessage());
    }
  }

  private Report ofFiles(Refusals refusals, List<DdlFile.Harmless> harmless) throws IOException {
    List<DdlFile> read = new ArrayList<>();
    for (Path file : files) {
      try {
        read.add(
            DdlFile.parse(
                file, String.join("\n", lines(refusals, file)), dialect == FileDialect.postgresql));
      } catch (IllegalArgumentException refused) {
        throw refusals.refusal(String.valueOf(refused.getMessage()));
      }
    }
    read.stream()
        .flatMap(file -> file.statements().stream())
        .forEach(statement -> harmless.addAll(statement.ignored()));
    SpannerEmulator emulator =
        SpannerEmulator.find()
            .orElseThrow(
                () ->
                    new IOException(
                        "a Spanner emulator is needed to read files: "
                            + SpannerEmulator.HOW_TO_GET));
    try (EmulatedSchema schema = new EmulatedSchema(emulator, dialect.dialect, read)) {
      SchemaAdvisor advisor =
          SchemaAdvisor.of(schema.database().client()).withIdentitiesFrom(schema.database().ddl());
      return report(advisor, harmless, schema.notes(), read);
    }
  }

  private Report ofDatabase(Refusals refusals, List<DdlFile.Harmless> harmless) {
    ConnectionOptions.@Nullable SpannerDatabase spanner = connection.spanner().orElse(null);
    if (spanner != null) {
      try {
        return report(
            sampled(SchemaAdvisor.of(spanner.client().getDatabaseClient(spanner.id()))),
            harmless,
            List.of(),
            List.of());
      } finally {
        spanner.client().close();
      }
    }
    R2dbcQuery query = new R2dbcQuery(connection.connections(), timeout);
    SchemaAdvisor advisor =
        query
            .catalog()
            .map(catalog -> SchemaAdvisor.of(catalog, query))
            .orElseThrow(
                () ->
                    refusals.refusal(
                        "the advisor supports h2, postgresql, mysql, mariadb and cloudspanner"));
    return report(sampled(advisor), harmless, List.of(), List.of());
  }

  private SchemaAdvisor sampled(SchemaAdvisor advisor) {
    return sample == null ? advisor : advisor.sampling(sample);
  }

  private static Report report(
      SchemaAdvisor advisor,
      List<DdlFile.Harmless> harmless,
      List<String> notes,
      List<DdlFile> files) {
    SchemaAdvisor chosen = advisor;
    for (DdlFile.Harmless each : harmless) {
      chosen = chosen.ignoring(each.rule(), each.object(), each.reason());
    }
    Advice advice = chosen.advice();
    List<String> all = new ArrayList<>(notes);
    all.addAll(advice.notes());
    return new Report(advice, all, files);
  }

  private void print(Report report) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonReport.text(report));
    } else if (sarif) {
      out.println(new SarifReport(report).text());
    } else {
      new TextReport(out, Boolean.getBoolean("millrace.terminal") ? Ansi.ON : Ansi.OFF)
          .print(report);
    }
    out.flush();
  }
}
