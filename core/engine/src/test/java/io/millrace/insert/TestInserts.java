package io.millrace.insert;

/** A pipeline of integers over any writer; at most 1,000 cells and 1,000 bytes a group. */
final class TestInserts extends Inserts<Integer, Void, TestInserts> {

  private final GroupWriter<Integer, ?> writer;

  TestInserts(GroupWriter<Integer, ?> writer) {
    super(1_000, 1_000, 1_000);
    this.writer = writer;
  }

  @Override
  protected GroupWriter<Integer, ?> writer(boolean isolate, long maxCells, long maxBytes) {
    return writer;
  }

  @Override
  protected TestInserts self() {
    return this;
  }
}
