package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import java.time.Duration;
import reactor.core.scheduler.Schedulers;

/**
 * The generators that are measured. Unless a benchmark says otherwise, a reservation is made by the
 * thread that finds it due: over a store that costs nothing, a change of threads would be most of
 * what is measured. No clock runs, as in the peers.
 */
final class Engines {

  private Engines() {}

  /**
   * Reserves the next block when half of one is left, and no larger one for those who wait; with a
   * block of 1, in the ordered mode.
   */
  static SequenceGenerator prefetching(long blockSize) {
    return prefetching(new FreeStore(), "measured", blockSize);
  }

  static SequenceGenerator prefetching(SequenceStore store, String name, long blockSize) {
    return inline(SequenceGenerator.builder(store, name))
        .batchSize(blockSize)
        .maxBatchSize(blockSize)
        .lowWatermark(blockSize / 2)
        .build();
  }

  /** The same, with reservations on Reactor's parallel scheduler, as generators have it. */
  static SequenceGenerator scheduled(long blockSize) {
    return SequenceGenerator.builder(new FreeStore(), "measured")
        .batchSize(blockSize)
        .maxBatchSize(blockSize)
        .lowWatermark(blockSize / 2)
        .build();
  }

  /** Reserves exactly {@code blockSize} values at a time, for those who wait. */
  static SequenceGenerator waitedFor(SequenceStore store, int blockSize) {
    return inline(SequenceGenerator.builder(store, "measured"))
        .batchSize(blockSize)
        .maxBatchSize(blockSize)
        .build();
  }

  static SequenceGeneratorBuilder inline(SequenceGeneratorBuilder builder) {
    return builder
        .scheduler(Schedulers.immediate())
        .acquireTimeout(Duration.ZERO)
        .reservationTimeout(Duration.ZERO);
  }
}
