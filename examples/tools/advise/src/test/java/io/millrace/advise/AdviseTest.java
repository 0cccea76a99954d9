package io.millrace.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.contrastsecurity.sarif.Result;
import com.contrastsecurity.sarif.Run;
import com.contrastsecurity.sarif.SarifSchema210;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviseTest {

  private final Path folder;

  AdviseTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--unknown a.sql",
        "no-such-file.sql",
        "--fail-on sometimes a.sql",
        "--dialect oracle a.sql",
      })
  void aWrongOptionIsOneLineAndStatus2(String arguments) {
    Running run = Running.advise(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().strip()).hasLineCount(1).startsWith("advise: ");
    assertThat(run.out()).isEmpty();
  }

  private static String shop() {
    try {
      return Path.of(Objects.requireNonNull(AdviseTest.class.getResource("shop.sql")).toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void aHotspotOfAFileIsShownWithItsLineItsReasonAndItsRemedy() {
    Running run = Running.advise(shop());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("WARNING  rising-key (1)")
        .contains("shop.sql:19  ) PRIMARY KEY (LastAccess, CustomerId)")
        .contains("| -- Put another column first: PRIMARY KEY (`CustomerId`, `LastAccess` DESC).")
        .contains("shop.sql:8  CREATE INDEX CustomersByLastSeen")
        .contains("Source: Spanner, Schema design best practices, best practice 3")
        .endsWith("0 errors, 2 warnings, 0 infos in 4 tables and 1 index; 1 ignored\n");
  }

  @Test
  void sarifIsReadByAnotherLibrary() throws IOException {
    Running run = Running.advise("--sarif", shop());
    assertThat(run.status()).isEqualTo(1);
    SarifSchema210 sarif =
        new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .readValue(run.out(), SarifSchema210.class);
    Run only = sarif.getRuns().get(0);
    List<Result> results = only.getResults();
    assertThat(results).extracting(Result::getRuleId).containsExactly("rising-key", "rising-index");
    assertThat(only.getTool().getDriver().getRules())
        .extracting(rule -> rule.getId())
        .contains("rising-index", "rising-key");
    assertThat(results.get(0).getLevel()).isEqualTo(Result.Level.WARNING);
    assertThat(results.get(0).getLocations().iterator().next().getPhysicalLocation())
        .satisfies(
            place -> {
              assertThat(place.getArtifactLocation().getUri()).endsWith("shop.sql");
              assertThat(place.getRegion().getStartLine()).isEqualTo(19);
            });
    assertThat(Running.advise("--sarif", shop()).out()).isEqualTo(run.out());
  }

  @ParameterizedTest
  @CsvSource({"error, 0", "warning, 1", "info, 1", "never, 0"})
  void theLeastSeverityWithStatus1IsChosen(String severity, int status) {
    assertThat(Running.advise("--fail-on", severity, shop()).status()).isEqualTo(status);
  }

  @Test
  void aFileOfSuppressionsTakesFindingsOut() throws IOException {
    String known =
        file(
            "known.txt",
            "# known\n\nrising-key AccessLog ten a day\n"
                + "rising-index customersbylastseen the same\nrising-key Gone was dropped\n");
    Running run = Running.advise("--suppressions", known, shop());
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("note: ignored, but not found: rising-key Gone")
        .endsWith("0 errors, 0 warnings, 0 infos in 4 tables and 1 index; 3 ignored\n");
  }

  @ParameterizedTest
  @CsvSource({"rising-key Orders", "hot Orders because"})
  void aLineOfSuppressionsThatSaysTooLittleIsRefused(String line) throws IOException {
    String known = file("known.txt", "\n" + line);
    Running run = Running.advise("--suppressions", known, shop());
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().strip()).hasLineCount(1).contains("known.txt:2: ");
  }

  @Test
  void severalFilesAreOneSchema() throws IOException {
    String table =
        file("1.sql", "CREATE TABLE T (Id STRING(36) NOT NULL, Seen TIMESTAMP) PRIMARY KEY (Id)");
    String index = file("2.sql", "\nCREATE INDEX I ON T (Seen)");
    Running run = Running.advise(table, index);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("2.sql:2  CREATE INDEX I");
  }

  @Test
  void aPartThatIsNotUnderstoodIsNotedAndHidesNothing() throws IOException {
    String wrong = file("wrong.sql", "CREATE TABLE T (Day DATE) PRIMARY KEY (Day),\n  SHINY;");
    Running run = Running.advise(wrong);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("rising-key (1)").contains("wrong.sql:2: left out, SHINY ...");
  }

  @Test
  void whatCannotBeJudgedIsStatus2AndTheOnlyResultInSarif() throws IOException {
    String wrong = file("wrong.sql", "CREATE TABLE T (Day DATE);\nCREATE INDEX I ON Gone (Day);");
    Running run = Running.advise("--sarif", wrong);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("wrong.sql:2: ", "the files create no table Gone");
    Run only =
        new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .readValue(run.out(), SarifSchema210.class)
            .getRuns()
            .get(0);
    assertThat(only.getInvocations())
        .singleElement()
        .matches(each -> !each.getExecutionSuccessful());
    assertThat(only.getResults())
        .singleElement()
        .matches(each -> each.getLevel() == Result.Level.ERROR);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE T (A INT64) PRIMARY KEY (A)^CREATE INDEX I ON T (A) | file.sql:2: ",
        "CREATE TABLE t (a bigint, PRIMARY KEY (a)); | file.sql is written for PostgreSQL",
        "CREATE TABLE `t` (`a` int(11) PRIMARY KEY) ENGINE=InnoDB; | another database than Spanner",
        "-- advise:ignore rising-key^CREATE TABLE T (A DATE) PRIMARY KEY (A) | file.sql:1: ",
      })
  void aFileThatCannotBeReadIsOneLineAndStatus2(String text, String message) throws IOException {
    Running run = Running.advise(file("file.sql", text.replace('^', '\n')));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().strip()).hasLineCount(1).startsWith("advise: ").contains(message);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aFileThatIsNoTextIsRefusedByName() throws IOException {
    Path file = Files.write(folder.resolve("utf16.sql"), new byte[] {(byte) 0xff, (byte) 0xfe, 65});
    assertThat(Running.advise(file.toString()).err()).contains("utf16.sql is not UTF-8 text");
    Running ofFolder = Running.advise(folder.toString());
    assertThat(ofFolder.status()).isEqualTo(2);
    assertThat(ofFolder.err()).contains(folder.toString());
  }

  @Test
  void aFolderStandsForItsFilesInTheOrderOfTheirNumbers() throws IOException {
    file("V2.sql", "CREATE TABLE T (Id STRING(36) NOT NULL, Day DATE) PRIMARY KEY (Id);");
    file("V10.ddl", "CREATE INDEX ByDay ON T (Day);");
    file("V11.sql", "DROP INDEX ByDay;");
    Running run = Running.advise(folder.toString());
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("in 1 table and 0 indexes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "-- nothing", "INSERT INTO T (A) VALUES (1);"})
  void aFileWithoutTablesIsRefused(String text) throws IOException {
    Running run = Running.advise(file("wrong.sql", text));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().strip())
        .hasLineCount(1)
        .startsWith("advise: there is no table in ")
        .contains("wrong.sql");
  }

  @Test
  void postgreSqlIsReadWhenAskedFor() throws IOException {
    String file = file("pg.sql", "CREATE TABLE rates (day date NOT NULL, PRIMARY KEY (day));");
    Running run = Running.advise("--dialect", "postgresql", file);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("rising-key (1)").contains("pg.sql:1");
  }
}
