package io.millrace.insert;

import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;

/** A pipeline of integers over any writer; at most 1,000 cells and 1,000 bytes a group. */
final class TestInserts extends Inserts<Integer, Void, TestInserts> {

  private final GroupWriter<Integer, ?> writer;

  TestInserts(GroupWriter<Integer, ?> writer) {
    super(1_000, 1_000, 1_000);
    this.writer = writer;
  }

  @Override
  GroupWriter<Integer, ?> writer(boolean isolate) {
    return writer;
  }

  @Override
  protected GroupTransactions<Integer, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
    throw new AssertionError("the writer is given");
  }

  @Override
  protected TestInserts self() {
    return this;
  }
}
