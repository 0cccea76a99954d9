package io.millrace.insert;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The options of a pipeline.
 *
 * @param shard null to gather all rows in one group
 */
record InsertSettings<T>(
    int groupSize,
    int concurrency,
    Duration maxDelay,
    long maxCells,
    long maxBytes,
    @Nullable Function<? super T, ?> shard,
    boolean isOrdered,
    Scheduler scheduler) {

  /** Throws if a row, or the rows of a call, are over a limit. */
  void requireWithin(long cells, long bytes, int rows, T first) {
    RowTooLargeException.requireWithin("cells", cells, maxCells, rows, first);
    RowTooLargeException.requireWithin("bytes", bytes, maxBytes, rows, first);
  }

  Object shardOf(T row) {
    return shard == null
        ? true
        : Objects.requireNonNull(shard.apply(row), "the shard of a row is null");
  }
}
