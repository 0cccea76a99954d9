package io.millrace.advisor.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The goal on files. Maven itself runs it in examples/consumers. */
class CheckMojoTest {

  private static final String HOTSPOT = "CREATE TABLE Log (Day DATE) PRIMARY KEY (Day);\n";

  private final Path folder;
  private final List<String> log = new ArrayList<>();

  CheckMojoTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private CheckMojo goal(String... files) {
    CheckMojo goal = new CheckMojo();
    goal.files = new ArrayList<>();
    for (String file : files) {
      goal.files.add(file(file));
    }
    goal.dialect = "googlesql";
    goal.failOn = "warning";
    goal.setLog(
        new SystemStreamLog() {
          @Override
          public void info(CharSequence text) {
            log.add("info " + text);
          }

          @Override
          public void warn(CharSequence text) {
            log.add("warn " + text);
          }

          @Override
          public void error(CharSequence text) {
            log.add("error " + text);
          }
        });
    return goal;
  }

  private File file(String name) {
    return folder.resolve(name).toFile();
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void aHotspotFailsTheBuildAndIsLoggedWithItsLineAndItsRemedy() throws IOException {
    write("schema.sql", "\n" + HOTSPOT);
    assertThatThrownBy(goal("schema.sql")::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("severity warning or above: 1, the first at ")
        .hasMessageEndingWith("schema.sql:2");
    assertThat(log)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("warn " + file("schema.sql") + ":2: WARNING rising-key Log: ")
                    .contains("\n-- Put a shard first: "));
  }

  @Test
  void findingsAreLoggedAtTheLevelOfTheirSeverity() throws Exception {
    write(
        "schema.sql",
        "CREATE TABLE Names (Name STRING(9000)) PRIMARY KEY (Name);\n"
            + "CREATE TABLE Stamps (At TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true))"
            + " PRIMARY KEY (At);");
    CheckMojo goal = goal("schema.sql");
    goal.failOn = "never";
    goal.execute();
    assertThat(log)
        .anyMatch(line -> line.matches("(?s)error .*schema.sql:2: ERROR rising-key Stamps: .*"))
        .anyMatch(line -> line.matches("(?s)info .*schema.sql:1: INFO long-key Names: .*"));
  }

  @ParameterizedTest
  @CsvSource({"error, false", "warning, true", "info, true", "never, false"})
  void theLeastSeverityThatFailsTheBuildIsChosen(String severity, boolean fails)
      throws IOException {
    write("schema.sql", HOTSPOT);
    CheckMojo goal = goal("schema.sql");
    goal.failOn = severity;
    if (fails) {
      assertThatThrownBy(goal::execute).isInstanceOf(MojoFailureException.class);
    } else {
      assertThatCode(goal::execute).doesNotThrowAnyException();
    }
  }

  @Test
  void theFilesOfAFolderAreOneSchemaInTheOrderOfTheirNumbers() throws Exception {
    write(
        "db/V2__log.sql", "CREATE TABLE Log (Id STRING(36) NOT NULL, Day DATE) PRIMARY KEY (Id);");
    write("db/V10__index.ddl", "CREATE INDEX ByDay ON Log (Day);");
    write("db/V11__dropped.sql", "DROP INDEX ByDay;");
    write("db/README.md", "CREATE TABLE");
    goal("db").execute();
    assertThat(log).containsExactly("info tables: 1, indexes: 0, findings: 0, ignored: 0");
  }

  @Test
  void theFileOfSuppressionsTakesAFindingOutAndWhatItDoesNotFindIsAWarning() throws Exception {
    write("schema.sql", HOTSPOT);
    write("known.txt", "rising-key Log a row a day\nrising-key Gone was dropped\n");
    CheckMojo goal = goal("schema.sql");
    goal.suppressions = file("known.txt");
    goal.execute();
    assertThat(log)
        .containsExactly(
            "warn to be ignored, but not found: rising-key Gone",
            "info tables: 1, indexes: 0, findings: 0, ignored: 1");
  }

  @Test
  void reportsAreWrittenAlsoWhenTheBuildFails() throws IOException {
    write("schema.sql", HOTSPOT);
    CheckMojo goal = goal("schema.sql");
    goal.sarif = file("reports/advisor.sarif");
    assertThatThrownBy(goal::execute).isInstanceOf(MojoFailureException.class);
    assertThat(goal.sarif).content().contains("\"2.1.0\"", "rising-key");
  }

  @Test
  void aReportIsWrittenAlsoWhenTheSchemaCannotBeJudged() throws IOException {
    write("schema.sql", HOTSPOT + "CREATE INDEX I ON Gone (Day);");
    CheckMojo goal = goal("schema.sql");
    goal.sarif = file("reports/advisor.sarif");
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageContaining("the files create no table Gone");
    assertThat(goal.sarif).content().contains("the files create no table Gone", ": 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gone.sql   | googlesql  | warning   | there is no file .*gone.sql",
        "table.sql  | postgresql | warning   | .*table.sql is written for Spanner's GoogleSQL, .*",
        "table.sql  | oracle     | warning   | a dialect is googlesql or postgresql, was oracle",
        "table.sql  | googlesql  | sometimes | .*error, warning, info, never, was sometimes",
        "data.sql   | googlesql  | warning   | there is no table in .*data.sql",
        "empty      | googlesql  | warning   | there is no file of SQL .* in .*empty",
      })
  void filesThatCannotBeCheckedAreAnErrorInOneSentence(
      String file, String dialect, String failOn, String message) throws IOException {
    write("table.sql", "CREATE TABLE T (Id STRING(36) NOT NULL) PRIMARY KEY (Id);");
    write("data.sql", "INSERT INTO T (Id) VALUES ('a');");
    write("empty/README.md", "");
    CheckMojo goal = goal(file);
    goal.dialect = dialect;
    goal.failOn = failOn;
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageMatching(message);
  }

  @Test
  void withoutFilesItSaysHowToNameThem() {
    assertThatThrownBy(goal()::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageContaining("millrace.advisor.files");
  }

  @Test
  void aReportThatCannotBeWrittenIsAnErrorInOneSentence() throws IOException {
    write("schema.sql", HOTSPOT);
    CheckMojo goal = goal("schema.sql");
    goal.sarif = file("schema.sql/advisor.sarif");
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageContaining("schema.sql");
  }

  @Test
  void skippingReadsNothing() throws Exception {
    CheckMojo goal = goal("gone.sql");
    goal.skip = true;
    goal.execute();
    assertThat(log).containsExactly("info skipped");
  }

  @Test
  void eachParameterIsOnThePageWithItsProperty() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "advisor.md"));
    String descriptor = Files.readString(Path.of("target/classes/META-INF/maven/plugin.xml"));
    List<String> parameters =
        Pattern.compile("\\$\\{millrace\\.advisor\\.(\\w+)}")
            .matcher(descriptor)
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(parameters)
        .hasSize(6)
        .allSatisfy(
            name -> assertThat(page).contains("`" + name + "`", "`millrace.advisor." + name + "`"));
  }
}
