package io.millrace.insert;

import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;

/** A pipeline of integers over any database; at most 1,000 cells and 1,000 bytes a group. */
final class TestInserts extends Inserts<Integer, Void, TestInserts> {

  private final GroupTransactions<Integer, ?> database;

  TestInserts(GroupTransactions<Integer, ?> database) {
    super(1_000, 1_000, 1_000);
    this.database = database;
  }

  @Override
  protected GroupTransactions<Integer, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
    return database;
  }

  @Override
  protected TestInserts self() {
    return this;
  }
}
