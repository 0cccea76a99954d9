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
    long maxValue,
    Duration acquireTimeout,
    Duration reservationTimeout,
    Backoff backoff,
    Scheduler scheduler,
    @Nullable Scheduler deliverOn,
    Bulkhead bulkhead,
    SequenceMetricsRecorder metrics) {

  /** Whether every reservation is for the demand of its moment and nothing is kept. */
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
