package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A writer whose groups wait until the test commits or rejects them. A row's bytes are its value.
 */
final class HandWriter implements GroupWriter<Integer, HandWriter.Row> {

  record Row(Integer row) implements PreparedRow<Integer> {
    @Override
    public long cells() {
      return 1;
    }

    @Override
    public long bytes() {
      return row;
    }
  }

  /** One group that was given to the writer. */
  static final class Write {
    final List<Integer> rows;
    final BitSet joined;
    private final MonoSink<List<InsertOutcome<Integer>>> sink;
    volatile boolean cancelled;

    Write(List<Row> group, BitSet joined, MonoSink<List<InsertOutcome<Integer>>> sink) {
      this.rows = group.stream().map(Row::row).toList();
      this.joined = joined;
      this.sink = sink;
      sink.onCancel(() -> cancelled = true);
    }

    void commit() {
      succeed(rows.stream().map(row -> committed(row)).toList());
    }

    void reject(Throwable reason) {
      List<InsertOutcome<Integer>> outcomes = new ArrayList<>();
      rows.forEach(row -> outcomes.add(new Rejected<>(row, reason)));
      succeed(outcomes);
    }

    void succeed(List<InsertOutcome<Integer>> outcomes) {
      sink.success(outcomes);
    }

    void fail(Throwable failure) {
      sink.error(failure);
    }

    void endWithoutOutcomes() {
      sink.success();
    }
  }

  private final List<Write> writes = new CopyOnWriteArrayList<>();

  static InsertOutcome<Integer> committed(Integer row) {
    return new Committed<>(row, Instant.EPOCH.plusSeconds(row));
  }

  /** All groups so far, in the order in which they were started. */
  List<Write> writes() {
    return writes;
  }

  Write write(int index) {
    return writes.get(index);
  }

  List<List<Integer>> groups() {
    return writes.stream().map(write -> write.rows).toList();
  }

  @Override
  public Row prepare(Integer row) {
    if (row < 0) {
      throw new IllegalArgumentException("negative: " + row);
    }
    return new Row(row);
  }

  @Override
  public Mono<List<InsertOutcome<Integer>>> write(List<Row> group, BitSet joined) {
    return Mono.create(sink -> writes.add(new Write(group, joined, sink)));
  }
}
