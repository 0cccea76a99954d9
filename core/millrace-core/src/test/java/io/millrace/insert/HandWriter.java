package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A database whose groups wait until the test commits or rejects them. A row's bytes are its value.
 */
final class HandWriter implements GroupTransactions<Integer, HandWriter.Row> {

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

  /** One transaction. */
  static final class Write {
    final List<Integer> rows;
    private final MonoSink<List<Committed<Integer>>> sink;
    volatile boolean cancelled;

    Write(List<Row> group, MonoSink<List<Committed<Integer>>> sink) {
      this.rows = group.stream().map(Row::row).toList();
      this.sink = sink;
      sink.onCancel(() -> cancelled = true);
    }

    void commit() {
      succeed(rows.stream().map(row -> committed(row)).toList());
    }

    void reject(Throwable reason) {
      fail(new GroupFailedException(Kind.GROUP_REFUSED, reason));
    }

    void rejectRows(@Nullable Throwable... faults) {
      fail(GroupFailedException.ofRows(Arrays.asList(faults)));
    }

    void succeed(List<Committed<Integer>> written) {
      sink.success(written);
    }

    void fail(Throwable failure) {
      sink.error(failure);
    }

    void endWithoutOutcomes() {
      sink.success();
    }
  }

  private final List<Write> writes = new CopyOnWriteArrayList<>();

  static Committed<Integer> committed(Integer row) {
    return new Committed<>(row, Instant.EPOCH.plusSeconds(row));
  }

  /** All transactions so far, in the order in which they were started. */
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
  public Mono<List<Committed<Integer>>> commit(List<Row> group) {
    return Mono.create(sink -> writes.add(new Write(group, sink)));
  }

  @Override
  public Mono<List<InsertOutcome<Integer>>> find(List<Row> group, List<Row> sent) {
    throw new AssertionError("no answer is lost");
  }
}
