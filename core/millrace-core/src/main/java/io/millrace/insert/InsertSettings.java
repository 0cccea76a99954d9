package io.millrace.insert;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;

/** The options of a pipeline or a row writer. */
record InsertSettings<T>(
    int groupSize,
    int concurrency,
    Duration maxDelay,
    long maxCells,
    long maxBytes,
    Function<? super T, ?> shard,
    boolean isOrdered,
    int maxWaiting,
    Duration acquireTimeout,
    Scheduler scheduler) {

  /** The time of the scheduler, in nanoseconds. */
  long now() {
    return scheduler.now(TimeUnit.NANOSECONDS);
  }

  /** Throws if a row, or the rows of a call, are over a limit. */
  void requireWithin(long cells, long bytes, int rows, T first) {
    RowTooLargeException.requireWithin("cells", cells, maxCells, rows, first);
    RowTooLargeException.requireWithin("bytes", bytes, maxBytes, rows, first);
  }
}
