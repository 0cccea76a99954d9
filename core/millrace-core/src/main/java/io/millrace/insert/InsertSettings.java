package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.ReliableScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The options of a pipeline.
 *
 * @param shard null to gather all rows in one group
 * @param timer null for {@code Schedulers.parallel()} at the time of the subscription
 */
record InsertSettings<T>(
    int groupSize,
    int concurrency,
    Duration maxDelay,
    long maxCells,
    long maxBytes,
    @Nullable Function<? super T, ?> shard,
    boolean isOrdered,
    @Nullable Scheduler timer) {

  /** The scheduler, looked up at subscription so that virtual time can replace it. */
  Scheduler scheduler() {
    return ReliableScheduler.of(timer == null ? Schedulers.parallel() : timer);
  }

  /** Throws if a row alone is over a limit. */
  void requireWithin(PreparedRow<T> row) {
    if (row.cells() > maxCells || row.bytes() > maxBytes) {
      requireWithin(List.of(row)); // no list for each row
    }
  }

  /** Throws if the rows of a call are over a limit. */
  void requireWithin(List<? extends PreparedRow<T>> rows) {
    long cells = 0;
    long bytes = 0;
    for (PreparedRow<T> row : rows) {
      cells += row.cells();
      bytes += row.bytes();
    }
    requireWithin("cells", cells, maxCells, rows);
    requireWithin("bytes", bytes, maxBytes, rows);
  }

  private static void requireWithin(
      String what, long size, long limit, List<? extends PreparedRow<?>> rows) {
    if (size > limit) {
      throw RowTooLargeException.of(what, size, limit, rows);
    }
  }

  Object shardOf(T row) {
    return shard == null
        ? true
        : Objects.requireNonNull(shard.apply(row), "the shard of a row is null");
  }
}
