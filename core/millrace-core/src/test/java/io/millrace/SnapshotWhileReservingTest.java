package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A snapshot that meets a reservation. */
class SnapshotWhileReservingTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BLOCK = 1_000;
  private static final int ROUNDS = 3_000;

  /** Each block is the answer to one subscriber, and the snapshots go on while it arrives. */
  @Test
  void reservedValuesNeverPassForIssued() throws InterruptedException {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
            .batchSize(BLOCK)
            .maxBatchSize(BLOCK)
            .build();
    AtomicLong requested = new AtomicLong();
    AtomicLong mostTooMany = new AtomicLong();
    AtomicLong snapshots = new AtomicLong();
    AtomicBoolean ended = new AtomicBoolean();
    Thread watcher =
        new Thread(
            () -> {
              while (!ended.get()) {
                long issued = generator.snapshot().issued();
                mostTooMany.accumulateAndGet(issued - requested.get(), Math::max);
                snapshots.incrementAndGet();
              }
            });
    watcher.start();
    long round = 0;
    try {
      for (; round < ROUNDS || snapshots.get() <= ROUNDS && watcher.isAlive(); round++) {
        requested.addAndGet(1);
        generator.next().block(LIMIT);
        requested.addAndGet(BLOCK - 1);
        generator.next(BLOCK - 1).block(LIMIT);
      }
    } finally {
      ended.set(true);
      watcher.join(LIMIT.toMillis());
    }
    assertThat(mostTooMany.get()).as("issued beyond what was requested").isLessThanOrEqualTo(0);
    assertThat(generator.snapshot().reservations()).isEqualTo(round);
    assertThat(snapshots.get()).isGreaterThan(ROUNDS);
    generator.disposeLater().block(LIMIT);
  }
}
