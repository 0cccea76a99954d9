package io.millrace.engine;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.SequenceTimeoutException;
import io.millrace.internal.Recorders;
import io.millrace.internal.Threads;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * A builder's options, checked and read-only. {@link SequenceGeneratorBuilder} says what each
 * means.
 */
public record GeneratorConfig(
    SequenceStore store,
    String sequence,
    BlockSizes blocks,
    int maxWaiters,
    long maxValue,
    @Nullable Long createMissing,
    Duration acquireTimeout,
    Duration reservationTimeout,
    Backoff backoff,
    Scheduler scheduler,
    @Nullable Scheduler deliverOn,
    Recorders<SequenceMetricsRecorder> metrics) {

  /**
   * How long to wait after a failed reservation: from {@code min}, doubled with each failure in a
   * row up to {@code max}, spread by {@code jitter}; and after how many {@code attempts} the
   * waiters receive an error.
   */
  public record Backoff(Duration min, Duration max, double jitter, int attempts) {

    /** The delay after a number of failures in a row, in nanoseconds, between min and max. */
    long delayNanos(int failures) {
      double delay = Math.min(max.toNanos(), min.toNanos() * Math.pow(2, failures - 1));
      double spread = jitter * delay * (2 * ThreadLocalRandom.current().nextDouble() - 1);
      return Math.max(min.toNanos(), Math.min(max.toNanos(), (long) (delay + spread)));
    }
  }

  /**
   * Makes a generator, and notifies its recorders.
   *
   * @return a generator that has made no request yet
   */
  public SequenceGenerator generator() {
    BufferedSequenceGenerator generator = new BufferedSequenceGenerator(this, null);
    generator.opened();
    return generator;
  }

  /**
   * Whether each reservation is as large as the unmet demand when it begins, and nothing is kept.
   */
  boolean isOrderedMode() {
    return blocks.isOrderedMode();
  }

  /**
   * Reserves values.
   *
   * @param exhausted whether the counter was past the largest value. It is then read first, since
   *     each reservation would move it on for nothing
   */
  Mono<SequenceBlock> reserve(long size, boolean counterKnown, boolean exhausted) {
    Mono<SequenceBlock> request = Mono.defer(() -> store.reserve(request(size, counterKnown)));
    return ask(
        () -> exhausted ? store.state(sequence).map(this::requireValue).then(request) : request);
  }

  private SequenceState requireValue(SequenceState state) {
    if (state.nextValue() > maxValue) {
      throw new SequenceExhaustedException(sequence, state.nextValue(), 1, maxValue);
    }
    return state;
  }

  /** A known counter that is missing was deleted: created again, it would issue values twice. */
  private ReservationRequest request(long size, boolean counterKnown) {
    return new ReservationRequest(sequence, size, counterKnown ? null : createMissing);
  }

  /** Whether the values were released; else they are a gap, and no subscriber is affected. */
  Mono<Boolean> release(SequenceBlock tail) {
    return once(() -> store.isReleasable() ? store.release(sequence, tail) : Mono.just(false))
        .onErrorReturn(false)
        .defaultIfEmpty(false);
  }

  Mono<SequenceState> state(boolean counterKnown) {
    return once(() -> request(1, counterKnown).orCreate(store, store.state(sequence)));
  }

  /** A request on the scheduler, within the reservation timeout. */
  private <T> Mono<T> once(Supplier<Mono<T>> request) {
    Mono<T> answer =
        Threads.of(scheduler)
            .onErrorMap(RejectedExecutionException.class, this::refused)
            .then(Cancellable.of(ask(request)));
    return reservationTimeout.isZero()
        ? answer
        : answer.timeout(reservationTimeout, Mono.error(() -> timedOut(null)), scheduler);
  }

  /**
   * A request to the store. It belongs to the generator, not to the subscriber that needed it. So
   * the store sees an empty Context and, where Reactor propagates Contexts to thread-locals, none
   * of the thread's values.
   */
  private <T> Mono<T> ask(Supplier<Mono<T>> request) {
    return Mono.defer(request).contextWrite(subscribers -> Context.empty());
  }

  /**
   * Makes the failure of a request that was not answered in time.
   *
   * @param before why the store failed last, or null
   */
  SequenceException timedOut(@Nullable Throwable before) {
    return SequenceTimeoutException.reservation(sequence, reservationTimeout, before);
  }

  /** Makes the failure of a request whose task or timer the scheduler rejected. */
  SequenceException refused(Throwable rejection) {
    return new SequenceStoreException(
        sequence, "was not asked, because the generator's scheduler rejected a task", rejection);
  }
}
