package io.millrace.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.advisor.Finding;
import io.millrace.advisor.Rule;
import io.millrace.advisor.Severity;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a file is taken apart. */
class DdlFileTest {

  private static final Path PATH = Path.of("a.sql");

  private static List<String> statements(String text) {
    return DdlFile.parse(PATH, text, false).statements().stream()
        .map(DdlFile.Statement::text)
        .toList();
  }

  @Test
  void aSemicolonEndsAStatementAndTheLastNeedsNone() {
    assertThat(statements("A;\nB ;; \n C")).containsExactly("A", "B", "C");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"A ';' B", "A \"x;y\" B", "A `x;y` B", "A 'it''s;' B", "A 'x\\';y' B", "A '--' B"})
  void aSemicolonWithinQuotesEndsNothing(String statement) {
    assertThat(statements(statement + "; C")).containsExactly(statement, "C");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-- x; y\nA", "# x; y\nA", "/* x;\n y */ A", "-- it's\nA"})
  void aSemicolonWithinACommentEndsNothing(String text) {
    assertThat(statements(text + "; C")).containsExactly("A", "C");
  }

  @Test
  void aByteOrderMarkAndOtherEndsOfLinesAreNoPartOfAStatement() {
    assertThat(statements("\uFEFFCREATE TABLE T\r\n(A);\r\nB;\r\n"))
        .containsExactly("CREATE TABLE T\r\n(A)", "B");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "-- only a comment", ";;", "/* not ended"})
  void aFileMayHaveNoStatement(String text) {
    assertThat(statements(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A 'not ended; B", "A 'ends with \\"})
  void aQuoteThatDoesNotEndTakesTheRest(String text) {
    assertThat(statements(text)).containsExactly(text);
  }

  private static Finding finding(String index) {
    return new Finding(
        Rule.RISING_KEY,
        Severity.WARNING,
        "Shop.Orders",
        index.isEmpty() ? null : index,
        null,
        "",
        List.of());
  }

  @ParameterizedTest
  @CsvSource({"'',4", "ByDay,5"})
  void aFindingIsAtThePrimaryKeyOrAtTheIndex(String index, int line) {
    DdlFile file =
        DdlFile.parse(
            PATH,
            "-- comment\ncreate table if not exists `shop`.`orders` (\n  Day DATE,\n)"
                + " primary key (Day);\nCREATE UNIQUE NULL_FILTERED INDEX \"ByDay\" ON x (Day);",
            false);
    assertThat(file.find(finding(index))).map(DdlFile.Place::line).contains(line);
  }

  @Test
  void whatIsNotInTheFileHasNoPlace() {
    assertThat(DdlFile.parse(PATH, "CREATE TABLE Other (A INT64)", false).find(finding("")))
        .isEmpty();
  }

  @Test
  void aCommentBehindTheSemicolonIsAboutTheStatementBeforeIt() {
    DdlFile file =
        DdlFile.parse(
            PATH,
            "CREATE TABLE T (A DATE); -- advise:ignore rising-key small\nCREATE TABLE U (A DATE);",
            false);
    assertThat(file.statements().get(0).ignored()).hasSize(1);
    assertThat(file.statements().get(1).ignored()).isEmpty();
  }

  @Test
  void aCommentBehindTheLastStatementIsRefused() {
    assertThatThrownBy(
            () ->
                DdlFile.parse(
                    PATH, "CREATE TABLE T (A DATE);\n-- advise:ignore rising-key small\n", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a.sql: ");
  }

  @Test
  void aBackslashEndsNothingInPostgreSql() {
    DdlFile file = DdlFile.parse(PATH, "A '\\'; B # C", true);
    assertThat(file.statements())
        .extracting(DdlFile.Statement::text)
        .containsExactly("A '\\'", "B # C");
  }

  @Test
  void aCommentWithinACreationAndANameWithASpaceAreUnderstood() {
    DdlFile file =
        DdlFile.parse(PATH, "CREATE /* the */ TABLE `Event Log` (A DATE) PRIMARY KEY (A)", false);
    assertThat(file.statements().get(0).creates("TABLE", "Event Log")).isTrue();
    assertThat(file.statements().get(0).firstWords()).isEqualTo("CREATE TABLE `Event");
  }

  @Test
  void aCommentMayCallAFindingHarmless() {
    DdlFile file =
        DdlFile.parse(
            PATH,
            "/* advise:ignore long-key short in practice */ CREATE TABLE T (\n"
                + "-- advise:ignore rising-key a row a day\n A DATE) PRIMARY KEY (A);"
                + " CREATE TABLE U (A INT64)",
            false);
    assertThat(file.statements().get(0).ignored())
        .containsExactly(
            new DdlFile.Harmless(Rule.LONG_KEY, "T", "short in practice"),
            new DdlFile.Harmless(Rule.RISING_KEY, "T", "a row a day"));
    assertThat(file.statements().get(1).ignored()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- advise:ignore rising-key|CREATE TABLE T|a rule and a reason",
        "-- advise:ignore|CREATE TABLE T|a rule and a reason",
        "-- advise:ignore hot because|CREATE TABLE T|no rule 'hot'",
        "-- advise:ignore rising-key because|DROP TABLE T|belongs to no table"
      })
  void aCommentThatSaysTooLittleIsRefusedWithItsPlace(String line) {
    String[] parts = line.split("\\|", 3);
    assertThatThrownBy(() -> DdlFile.parse(PATH, "\n" + parts[0] + "\n" + parts[1], false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a.sql:3: ")
        .hasMessageContaining(parts[2]);
  }
}
