package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import java.time.Duration;
import reactor.core.scheduler.Schedulers;

/**
 * The generators to measure. By default, the thread that finds a reservation due makes it. The
 * store costs nothing, so a thread change would dominate the result. There are no timeouts, as in
 * the peers.
 */
final class Engines {

  private Engines() {}

  /**
   * Reserves the next block when half of a block is left, and no larger one for waiters. A block of
   * 1 means the ordered mode.
   */
  static SequenceGenerator prefetching(long blockSize) {
    return prefetching(new FreeStore(), "measured", blockSize);
  }

  static SequenceGenerator prefetching(SequenceStore store, String name, long blockSize) {
    return inline(SequenceGenerator.builder(store, name))
        .blockSize(blockSize)
        .maxBlockSize(blockSize)
        .lowWatermark(blockSize / 2)
        .build();
  }

  /**
   * The same, with reservations on Reactor's parallel scheduler, which is a generator's default.
   */
  static SequenceGenerator scheduled(long blockSize) {
    return SequenceGenerator.builder(new FreeStore(), "measured")
        .blockSize(blockSize)
        .maxBlockSize(blockSize)
        .lowWatermark(blockSize / 2)
        .build();
  }

  /** A generator with the default settings. */
  static SequenceGenerator byDefault() {
    return SequenceGenerator.builder(new FreeStore(), "measured").build();
  }

  /** Reserves exactly {@code blockSize} values at a time, and only for waiters. */
  static SequenceGenerator forWaiters(SequenceStore store, int blockSize) {
    return inline(SequenceGenerator.builder(store, "measured"))
        .blockSize(blockSize)
        .maxBlockSize(blockSize)
        .build();
  }

  static SequenceGeneratorBuilder inline(SequenceGeneratorBuilder builder) {
    return builder
        .scheduler(Schedulers.immediate())
        .acquireTimeout(Duration.ZERO)
        .reservationTimeout(Duration.ZERO);
  }
}
