package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.ShownText;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no database. */
class OptionsTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Sequences.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static final String HOSTILE = "a\u001b[2J\u202eb\u2028c";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "list --project p",
        "list --project p --instance i --database d --url r2dbc:h2:mem:///x",
        "list --url nonsense",
        "list --limit 0 --url r2dbc:h2:mem:///x",
        "list --url r2dbc:h2:mem:///x --table a;b",
        "list --url r2dbc:h2:mem:///x --timeout 0s",
        "show --url r2dbc:h2:mem:///x",
        "show a --interval 5 --url r2dbc:h2:mem:///x",
        "show a --max-value much --url r2dbc:h2:mem:///x",
        "create a --start 9223372036854775807 --url r2dbc:h2:mem:///x",
        "move-forward a --url r2dbc:h2:mem:///x",
        "audit a --used column --url r2dbc:h2:mem:///x",
        "audit a --used a.b;c --url r2dbc:h2:mem:///x",
        "audit a --used a.b --owner 1 --url r2dbc:h2:mem:///x",
        "watch --times 0 --url r2dbc:h2:mem:///x",
        "ddl",
        "ddl --dialect oracle",
        "ddl --dialect h2 --format xml",
        "ddl --dialect h2 --table a;b"
      })
  void aWrongOptionIsOneLineAndStatus2(String arguments) {
    assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
        .isEqualTo(Status.WRONG_OPTION.code());
    assertThat(err.toString().strip()).hasLineCount(1).startsWith("sequences: ");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list --url r2dbc:postgresql://ada:topsecret@localhost:1/shop --verbose",
        "list --url r2dbc:nonsense://ada:topsecret@localhost:1/shop",
        "list --ulr=r2dbc:postgresql://ada:topsecret@localhost:1/shop",
        "list --ulr=r2dbc:h2:mem:///x?password=topsecret"
      })
  void aPasswordIsNeverPrinted(String arguments) {
    assertThat(run(arguments.split(" "))).isNotZero();
    assertThat(out + err.toString()).doesNotContain("topsecret");
    assertThat(err.toString()).startsWith("sequences: ");
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsStatus3() {
    assertThat(run("list", "--url", "r2dbc:postgresql://ada@localhost:1/shop"))
        .isEqualTo(Status.NOT_REACHABLE.code());
    assertThat(err.toString().strip()).hasLineCount(1).contains("Connection refused");
  }

  @ParameterizedTest
  @CsvSource({
    "spanner, sql, PRIMARY KEY (`name`)",
    "spanner-postgresql, sql, spanner.commit_timestamp",
    "postgresql, flyway, -- Flyway",
    "h2, liquibase, --liquibase formatted sql",
    "mysql, liquibase, --rollback DROP TABLE `sequence_ledger`;",
    "mariadb, sql, utf8mb4_nopad_bin"
  })
  void theStatementsOfADialectArePrinted(String dialect, String format, String contained) {
    assertThat(run("ddl", "--dialect", dialect, "--format", format, "--ledger", "sequence_ledger"))
        .isZero();
    assertThat(out.toString()).contains(contained).contains("CREATE TABLE IF NOT EXISTS");
  }

  @Test
  void eachStatusIsInTheHelpAndInTheTableOfTheDocument() throws IOException {
    assertThat(run("--help")).isZero();
    String page = Files.readString(Path.of("..", "..", "..", "docs", "sequences.md"));
    for (Status status : Status.values()) {
      assertThat(out.toString().replaceAll("\\s+", " "))
          .contains(" " + status.code() + " " + status.meaning());
      assertThat(page).contains("| " + status.code() + " | " + status.meaning() + " |\n");
    }
    assertThat(Stream.of(Status.values()).map(Status::code))
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(6);
    assertThat(page.lines().filter(line -> line.matches("\\| \\d+ \\| .*")))
        .hasSize(Status.values().length);
  }

  @Test
  void aRefusedLoginHasAStatusOfItsOwn() {
    assertThat(Status.of(new R2dbcPermissionDeniedException("no", "28P01", 0)))
        .isEqualTo(Status.LOGIN_REFUSED);
    assertThat(Status.of(new R2dbcPermissionDeniedException("no such right", "42501", 0)))
        .isEqualTo(Status.FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V", "list -V", "ddl --version"})
  void theVersionIsPrinted(String arguments) {
    assertThat(run(arguments.split(" "))).isZero();
    assertThat(out.toString()).matches("Millrace \\d+\\.\\d+.*\\R");
  }

  @Test
  void aWrongUrlOfTheEnvironmentIsNotBlamedOnAnOption() throws IOException, InterruptedException {
    ForkedTool run = ForkedTool.run(Map.of("SEQUENCES_URL", "nonsense"), List.of("list"));

    assertThat(run.status()).isEqualTo(Status.WRONG_OPTION.code());
    assertThat(run.err())
        .startsWith("sequences: SEQUENCES_URL in the environment is not the R2DBC URL")
        .hasLineCount(1);
  }

  @Test
  void textOfTheCommandLineIsShownOnOneLine() {
    for (String[] arguments :
        List.of(
            new String[] {"ddl", "--dialect", HOSTILE},
            new String[] {"ddl", "--dialect", "h2", "--table", HOSTILE},
            new String[] {"ddl", "--dialect", "h2", "--format", HOSTILE},
            new String[] {"list", "--url", "r2dbc:h2:mem:///x", "--timeout", HOSTILE},
            new String[] {"list", "--url", "r2dbc:h2:mem:///x", "--table", HOSTILE},
            new String[] {"audit", "a", "--url", "r2dbc:h2:mem:///x", "--used", HOSTILE},
            new String[] {HOSTILE})) {
      err.getBuffer().setLength(0);
      assertThat(run(arguments)).isEqualTo(Status.WRONG_OPTION.code());
      assertThat(err.toString().strip().codePoints().allMatch(ShownText::isPlain))
          .as(ShownText.line(err.toString()))
          .isTrue();
    }
  }
}
