package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How advice is printed; the command's tests read its reports with other libraries. */
class ReportFormatTest {

  private static final Advice ADVICE =
      new Advice(
          List.of(
              new Finding(
                  Rule.RISING_KEY,
                  Severity.ERROR,
                  "T",
                  null,
                  "Day",
                  "Day \"rises\"\\\n\u001B[31m",
                  List.of("Change it.", "DROP TABLE T"),
                  new Place(Path.of("a.sql"), 3, ") PRIMARY KEY (Day)"))),
          List.of(),
          List.of("rising-key Gone"),
          List.of("a.sql:1: left out, ANALYZE ..."),
          1,
          0);

  @Test
  void textHasThePlaceTheRemedyAndTheNotes() {
    assertThat(ReportFormat.TEXT.print(ADVICE))
        .startsWith("ERROR  rising-key (1)\n")
        .contains("    a.sql:3  ) PRIMARY KEY (Day)\n    | -- Change it.\n    | DROP TABLE T;\n")
        .endsWith(
            "note: a.sql:1: left out, ANALYZE ...\nnote: ignored, but not found: rising-key Gone\n"
                + "1 error, 0 warnings, 0 infos in 1 table and 0 indexes; 0 ignored");
  }

  private static String sarif(Path file) {
    Finding finding =
        new Finding(
            Rule.RISING_KEY,
            Severity.ERROR,
            "T",
            null,
            "Day",
            "rises",
            List.of(),
            new Place(file, 3, ""));
    return ReportFormat.SARIF.print(
        new Advice(
            List.of(finding), List.of(new Ignored(finding, "small")), List.of(), List.of(), 1, 0));
  }

  @Test
  void sarifLeavesOutWhatIsIgnored() {
    assertThat(sarif(Path.of("a.sql")))
        .containsOnlyOnce("\"ruleId\"")
        .doesNotContain("suppressions", "small");
  }

  @Test
  void anAbsolutePathIsAUrlInSarif() {
    Path file = Path.of("a b.sql").toAbsolutePath();
    assertThat(sarif(file))
        .contains("\"uri\" : \"" + file.toUri().toASCIIString() + "\"")
        .contains("file:///", "/a%20b.sql\"");
  }

  @Test
  void aRefusalIsTheOnlyResultAtItsLineOrAtTheFirstOfItsFile() {
    assertThat(ReportFormat.SARIF.print(new SchemaFileException(Path.of("a.sql"), 7, "wrong")))
        .contains("\"executionSuccessful\" : false", "\"level\" : \"error\"")
        .contains("\"a.sql:7: wrong\"", "\"uri\" : \"a.sql\"", "\"startLine\" : 7")
        .containsOnlyOnce("\"ruleId\" : \"not-judged\"");
    SchemaFileException whole = new SchemaFileException(Path.of("a.sql"), "wrong");
    assertThat(ReportFormat.SARIF.print(whole)).contains("\"startLine\" : 1");
    assertThat(ReportFormat.TEXT.print(whole)).isEqualTo("wrong");
  }

  @Test
  void onlyTheSeverityIsColoured() {
    assertThat(ReportFormat.COLOURED_TEXT.print(ADVICE))
        .isEqualTo(
            ReportFormat.TEXT
                .print(ADVICE)
                .replace("ERROR  rising", "\u001B[1;31mERROR\u001B[0m  rising"));
  }

  @Test
  void sarifEscapesWhatIsNoPlainText() {
    assertThat(ReportFormat.SARIF.print(ADVICE))
        .contains("Day \\\"rises\\\"\\\\\\n\\u001B[31m")
        .contains("\"startLine\" : 3");
  }
}
