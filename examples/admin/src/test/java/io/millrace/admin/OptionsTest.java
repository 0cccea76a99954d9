package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "list --project p",
        "list --project p --instance i --database d --url r2dbc:h2:mem:///x",
        "list --url nonsense",
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
        .isEqualTo(Status.WRONG_OPTION);
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
        .isEqualTo(Status.NOT_REACHABLE);
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
}
