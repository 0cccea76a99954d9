package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The message says in one sentence how to fix the error. */
class MissingSequenceMessageTest {

  private final SequenceTable table = new SequenceTable("counters", "name", "next_value", 64);

  private static final String INSERT =
      "INSERT INTO `counters` (`name`, `next_value`) VALUES ('orders', 1)";

  @Test
  void aMissingRowHasOneStatementToRunOrOneCall() {
    assertThat(table.noCounter(Dialect.GOOGLE_STANDARD_SQL, "orders"))
        .hasMessage(
            "sequence 'orders' was not found in table counters; create it: "
                + INSERT
                + " (or call create)");
  }

  @Test
  void aMissingTableHasTwoStatementsToRunOrTwoCalls() {
    assertThat(table.noTable(Dialect.GOOGLE_STANDARD_SQL, "orders", null))
        .hasMessage(
            "sequence 'orders' was not found in table counters, which does not exist; create it: "
                + "CREATE TABLE `counters` (`name` STRING(64) NOT NULL, `next_value` INT64 NOT NULL)"
                + " PRIMARY KEY (`name`); "
                + INSERT
                + " (or call createTable, and then create)");
  }

  /** Whatever a name holds, it is one literal of the statement. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "orders | 'orders' | 'orders'",
        "o'clock | 'o\\'clock' | 'o''clock'",
        "a\\b | 'a\\\\b' | 'a\\b'",
        "\u200b | '\\u200B' | E'\\xe2\\x80\\x8b'",
        "a\\\u200b'b | 'a\\\\\\u200B\\'b' | E'a\\\\\\xe2\\x80\\x8b''b'",
        "ü | 'ü' | 'ü'",
      })
  void theNameOfTheSequenceIsALiteralOfItsDialect(
      String name, String googleSql, String postgreSql) {
    assertThat(table.insert(Dialect.GOOGLE_STANDARD_SQL, name))
        .isEqualTo(
            "INSERT INTO `counters` (`name`, `next_value`) VALUES (%s, 1)".formatted(googleSql));
    assertThat(table.insert(Dialect.POSTGRESQL, name))
        .isEqualTo(
            "INSERT INTO \"counters\" (\"name\", \"next_value\") VALUES (%s, 1)"
                .formatted(postgreSql));
  }
}
