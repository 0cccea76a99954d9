package io.millrace.advisor;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on the schema of files.
 *
 * <pre>{@code
 * assertThatSchemaFiles(Path.of("schema.sql"))
 *     .ignoring(Rule.RISING_KEY, "Holidays", "a dozen rows a year")
 *     .hasNoHotspots();
 * }</pre>
 */
public final class SchemaAssert extends AbstractAssert<SchemaAssert, SchemaAdvisor> {

  private SchemaAssert(SchemaAdvisor advisor) {
    super(advisor, SchemaAssert.class);
  }

  /**
   * Returns assertions on the schema of files with statements in GoogleSQL.
   *
   * @param files the files and folders of one schema, in this order
   */
  public static SchemaAssert assertThatSchemaFiles(Path... files) {
    return new SchemaAssert(SchemaAdvisor.ofFiles(files));
  }

  /**
   * Returns assertions on the schema of files.
   *
   * @param dialect the dialect of all files
   * @param files the files and folders of one schema, in this order
   */
  public static SchemaAssert assertThatSchemaFiles(DdlDialect dialect, Path... files) {
    return new SchemaAssert(SchemaAdvisor.ofFiles(dialect, files));
  }

  /**
   * Ignores a finding that is known to be harmless.
   *
   * @param object the table or the index
   * @param reason why it is harmless; not blank
   * @return the assertions without it
   */
  public SchemaAssert ignoring(Rule rule, String object, String reason) {
    return new SchemaAssert(actual.ignoring(rule, object, reason));
  }

  /**
   * Fails if there is a finding of severity {@link Severity#WARNING} or above, or if a finding to
   * ignore was not found.
   */
  public SchemaAssert hasNoHotspots() {
    return hasNoFindingsFrom(Severity.WARNING);
  }

  /**
   * Fails if there is a finding of at least a severity, or if a finding to ignore was not found.
   */
  public SchemaAssert hasNoFindingsFrom(Severity least) {
    Advice advice = actual.advice();
    List<Finding> found = advice.from(least);
    if (!found.isEmpty()) {
      failWithMessage(
          "%s", found.stream().map(SchemaAssert::text).collect(Collectors.joining("\n")));
    }
    if (!advice.needless().isEmpty()) {
      failWithMessage("To be ignored, but not found: %s", advice.needless());
    }
    return this;
  }

  private static String text(Finding finding) {
    return finding
        + "\n  "
        + finding.rule().why()
        + "\n  "
        + finding.rule().source()
        + "\n"
        + finding.remedyText();
  }
}
