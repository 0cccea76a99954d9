package io.millrace.advisor.maven;

import io.millrace.advisor.Advice;
import io.millrace.advisor.DdlDialect;
import io.millrace.advisor.Finding;
import io.millrace.advisor.ReportFormat;
import io.millrace.advisor.SchemaAdvisor;
import io.millrace.advisor.SchemaFileException;
import io.millrace.advisor.Severity;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Fails the build on hotspots in the Spanner schema of DDL files. Needs no database. */
@Mojo(
    name = "check",
    defaultPhase = LifecyclePhase.VERIFY,
    requiresProject = false,
    threadSafe = true)
public final class CheckMojo extends AbstractMojo {

  /**
   * The DDL files of one schema, in this order. A folder stands for all files in it, at any depth,
   * whose names end in .sql, .ddl, .sdl, .psql or .pgsql: by name, and V2 before V10.
   */
  @Parameter(property = "millrace.advisor.files", required = true)
  List<File> files;

  /** The dialect of the files: googlesql or postgresql. */
  @Parameter(property = "millrace.advisor.dialect", defaultValue = "googlesql")
  String dialect;

  /** The lowest severity that fails the build: error, warning, info or never. */
  @Parameter(property = "millrace.advisor.failOn", defaultValue = "warning")
  String failOn;

  /** A file of findings to ignore: on each line a rule, a table or an index, and a reason. */
  @Parameter(property = "millrace.advisor.suppressions")
  @Nullable File suppressions;

  /** A file for the report as SARIF 2.1.0, for code review. None by default. */
  @Parameter(property = "millrace.advisor.sarif")
  @Nullable File sarif;

  /** Whether to check nothing. */
  @Parameter(property = "millrace.advisor.skip", defaultValue = "false")
  boolean skip;

  /** For Maven, which sets the parameters. */
  @SuppressWarnings("NullAway.Init")
  public CheckMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("skipped");
      return;
    }
    Advice advice;
    List<Finding> failures;
    try {
      Optional<Severity> least = Severity.failingFrom(failOn);
      advice = advice();
      failures = least.map(advice::from).orElse(List.of());
    } catch (SchemaFileException refused) {
      writeSarif(ReportFormat.SARIF.print(refused));
      throw new MojoExecutionException(refused.getMessage(), refused);
    } catch (IllegalArgumentException refused) {
      throw new MojoExecutionException(refused.getMessage(), refused);
    }
    writeSarif(ReportFormat.SARIF.print(advice));
    log(advice);
    if (!failures.isEmpty()) {
      throw new MojoFailureException(
          "the schema has findings of severity %s or above: %d, the first at %s"
              .formatted(failOn, failures.size(), failures.get(0).place()));
    }
  }

  private void writeSarif(String report) throws MojoExecutionException {
    if (sarif == null) {
      return;
    }
    try {
      Files.createDirectories(sarif.getAbsoluteFile().toPath().getParent());
      Files.writeString(sarif.toPath(), report + "\n");
    } catch (IOException failure) {
      throw new MojoExecutionException("a report could not be written: " + failure, failure);
    }
  }

  private Advice advice() throws MojoExecutionException {
    if (files.isEmpty()) {
      throw new MojoExecutionException("name the DDL files in <files> or millrace.advisor.files");
    }
    SchemaAdvisor advisor =
        SchemaAdvisor.ofFiles(
            DdlDialect.of(dialect),
            files.stream().map(file -> shortened(file.toPath())).toArray(Path[]::new));
    return (suppressions == null
            ? advisor
            : advisor.ignoringThoseIn(shortened(suppressions.toPath())))
        .advice();
  }

  /** Relative to the folder in which Maven was started, as code review expects it in reports. */
  private static Path shortened(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return file.startsWith(here) ? here.relativize(file) : file;
  }

  private void log(Advice advice) {
    for (Finding finding : advice.findings()) {
      String text = (finding.place() + ": " + finding + "\n" + finding.remedyText()).strip();
      switch (finding.severity()) {
        case ERROR -> getLog().error(text);
        case WARNING -> getLog().warn(text);
        case INFO -> getLog().info(text);
      }
    }
    advice.notes().forEach(note -> getLog().info(note));
    advice.needless().forEach(each -> getLog().warn("to be ignored, but not found: " + each));
    getLog()
        .info(
            "tables: %d, indexes: %d, findings: %d, ignored: %d"
                .formatted(
                    advice.tables(),
                    advice.indexes(),
                    advice.findings().size(),
                    advice.ignored().size()));
  }
}
