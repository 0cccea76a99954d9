package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import org.junit.jupiter.api.Test;

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
}
