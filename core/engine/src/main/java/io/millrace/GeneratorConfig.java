package io.millrace;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A builder's options, checked and read-only. {@link SequenceGeneratorBuilder} says what each
 * means.
 */
record GeneratorConfig(
    SequenceStore store,
    String sequence,
    BatchSizes batches,
    int maxWaiters,
    MaxValue maxValue,
    CapacityAlarm alarm,
    long firstValue,
    Duration acquireTimeout,
    Duration reservationTimeout,
    Backoff backoff,
    Scheduler scheduler,
    @Nullable Scheduler deliverOn,
    Bulkhead bulkhead,
    @Nullable NamedGenerators owner,
    SequenceMetricsRecorder metrics) {

  /**
   * Whether each reservation is as large as the unmet demand when it begins, and nothing is kept.
   */
  boolean isOrderedMode() {
    return batches.isOrderedMode();
  }

  /** Bounds a request to the store by the reservation timeout. */
  <T> Mono<T> limitTime(Mono<T> request) {
    return reservationTimeout.isZero()
        ? request
        : request.timeout(
            reservationTimeout,
            Mono.error(
                () -> SequenceTimeoutException.reservation(sequence, reservationTimeout, null)),
            scheduler);
  }
}
