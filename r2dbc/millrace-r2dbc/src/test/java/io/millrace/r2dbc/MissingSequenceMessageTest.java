package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a reader of the error is told to do, in one sentence. */
class MissingSequenceMessageTest {

  private final SequenceTable table =
      new SequenceTable(R2dbcDialect.H2, new SequenceNames("counters", "name", "next_value", 64));

  private static final String INSERT =
      "INSERT INTO \"counters\" (\"name\", \"next_value\") VALUES ('orders', 1)";

  @Test
  void aMissingRowHasOneStatementToRunOrOneCall() {
    assertThat(table.counterNotFound("orders"))
        .hasMessage(
            "sequence 'orders' was not found in table counters; create it: "
                + INSERT
                + " (or call create)");
  }

  @Test
  void aMissingTableHasTwoStatementsToRunOrTwoCalls() {
    assertThat(table.tableNotFound("orders", new IllegalStateException()))
        .hasMessage(
            "sequence 'orders' was not found in table counters, which does not exist; create it: "
                + table.ddl()
                + "; "
                + INSERT
                + " (or call createTable, and then create)");
  }

  @Test
  void aNameThatCannotBeWrittenIsLeftToTheCalls() {
    assertThat(table.counterNotFound("o'dd"))
        .hasMessageEndingWith("create it: call create with this name");
    assertThat(table.tableNotFound("o'dd", new IllegalStateException()))
        .hasMessageEndingWith("create it: call createTable, and then create with this name");
  }
}
