package io.millrace.advise;

import io.millrace.advisor.Advice;
import io.millrace.advisor.DdlDialect;
import io.millrace.advisor.ReportFormat;
import io.millrace.advisor.SchemaAdvisor;
import io.millrace.advisor.SchemaFileException;
import io.millrace.advisor.Severity;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the advisor. */
@Command(
    name = "./millrace advise",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeOnExecutionException = Advise.FAILED,
    description = {
      "Finds hotspots in a schema: keys and indexes that concentrate all writes in one place.",
      "",
      "Exit status 0: no finding of the severity of --fail-on or above. 1: a finding. 2: a wrong"
          + " option, a file that cannot be read, or a key that cannot be judged. 4: another error."
          + " 7: the tool could not be built.",
      ""
    })
public final class Advise implements Callable<Integer> {

  private static final int GOOD = 0;
  private static final int FINDINGS = 1;
  static final int FAILED = 4;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Files of one schema, with DDL for Spanner, read in this order, and folders of such files.")
  private List<Path> files;

  @Option(
      names = "--dialect",
      paramLabel = "DIALECT",
      defaultValue = "googlesql",
      description =
          "The dialect of the files: googlesql or postgresql (default: ${DEFAULT-VALUE}).")
  private String dialect;

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

  @Option(names = "--sarif", description = "Prints SARIF 2.1.0, for code review.")
  private boolean sarif;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Advise() {}

  static CommandLine commandLine() {
    return Refusals.inOneLine("advise", new CommandLine(new Advise()));
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
    Refusals refusals = new Refusals(spec);
    DdlDialect ofFiles = named("--dialect", dialect, DdlDialect::of, refusals);
    Optional<Severity> least = named("--fail-on", failOn, Severity::failingFrom, refusals);
    try {
      SchemaAdvisor advisor = SchemaAdvisor.ofFiles(ofFiles, files.toArray(Path[]::new));
      Advice advice =
          (suppressions == null ? advisor : advisor.ignoringThoseIn(suppressions)).advice();
      print(format().print(advice));
      boolean fails = least.map(advice::from).filter(found -> !found.isEmpty()).isPresent();
      return fails ? FINDINGS : GOOD;
    } catch (SchemaFileException refused) {
      if (sarif) {
        print(ReportFormat.SARIF.print(refused));
      }
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

  private ReportFormat format() {
    return sarif
        ? ReportFormat.SARIF
        : Boolean.getBoolean("millrace.terminal") ? ReportFormat.COLOURED_TEXT : ReportFormat.TEXT;
  }

  private void print(String report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(report);
    out.flush();
  }
}
