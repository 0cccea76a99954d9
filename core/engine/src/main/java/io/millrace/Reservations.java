package io.millrace;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Asks the store for blocks, one at a time, and decides when to ask again after a failure.
 *
 * <p><b>Invariant.</b> A reservation begins only by the move from {@link #STARTING} to {@link
 * #IN_FLIGHT}, and STARTING is entered only from IDLE, or after the reservation in flight has
 * failed; so there is never more than one. After a failure the state leaves STARTING or {@link
 * #HOLDING} only when the delay has passed; so nobody can have a reservation begin earlier.
 *
 * <p>Each attempt is subscribed to on the scheduler, not by the thread of the subscriber that
 * happened to need it, and belongs to the generator: no subscriber's cancel, context or
 * thread-local reaches it.
 */
final class Reservations {

  private static final int IDLE = 0;

  /** An attempt is scheduled: at once, or after the delay of a failed one. */
  private static final int STARTING = 1;

  private static final int IN_FLIGHT = 2;

  /** Given up; until the delay has passed nothing may start. */
  private static final int HOLDING = 3;

  private static final AtomicIntegerFieldUpdater<Reservations> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Reservations.class, "state");

  private final GeneratorConfig config;
  private final BufferedSequenceGenerator generator;
  private final BlockCheck check;

  private volatile int state = IDLE;

  /** The answer to the reservation in flight. Written once for each, taken by the drain loop. */
  private volatile @Nullable Answer answer;

  /** Failures since the last success. Used by the drain loop only. */
  private int failuresInARow;

  /**
   * Failures since the last success or since a round of attempts ended. Used by the drain loop, and
   * by the attempt that begins, which the drain loop leaves alone until it has an answer.
   */
  private int failuresThisRound;

  /** How many reservations succeeded. Written by the drain loop only. */
  private volatile long succeeded;

  /** Why the latest attempt failed, or null if it succeeded. Written by the drain loop only. */
  private volatile @Nullable Throwable lastFailure;

  /**
   * What the store itself last failed with since the last success: a silence that follows is most
   * often of the same cause, and says less. Written by the drain loop only.
   */
  private volatile @Nullable Throwable lastWord;

  /**
   * The latest attempt's admission to the store. Written by the attempt, before it looks at the
   * state again; given up by the drain loop, after it has changed the state; null once the attempt
   * is over, and that before the state or an answer says so, or it could be the next attempt's.
   */
  private volatile @Nullable Admission admission;

  /** The attempt, or the end of the hold, that is scheduled. */
  private final Disposable.Swap scheduled = Disposables.swap();

  Reservations(GeneratorConfig config, BufferedSequenceGenerator generator) {
    this.config = config;
    this.generator = generator;
    this.check = new BlockCheck(config);
  }

  boolean isIdle() {
    return state == IDLE;
  }

  boolean isInFlight() {
    return state == IN_FLIGHT;
  }

  /** Whether a reservation waits for others to end, in the moments before it begins or since. */
  boolean isWaitingForAdmission() {
    Admission latest = admission;
    return state == STARTING && latest != null && latest.isWaiting();
  }

  /** Whether the latest attempt failed, and another is under way or delayed. */
  boolean isFailing() {
    return lastFailure != null && state != IDLE;
  }

  long succeeded() {
    return succeeded;
  }

  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /** What the store itself last failed with, since the last success; or null. */
  @Nullable Throwable lastWord() {
    return lastWord;
  }

  /**
   * Starts a reservation if none is on its way or held back. Called by the drain loop only.
   *
   * @return what is to be done since the scheduler refuses, or null
   */
  @Nullable Settlement start() {
    RejectedExecutionException refusal = state == IDLE ? schedule(STARTING, 0) : null;
    return refusal == null
        ? null
        : new Settlement.Failed(givenUp(failuresThisRound, refusal, null));
  }

  /** Drops what is scheduled and not in flight. Called by the drain loop only. */
  void cancelScheduled() {
    if (STATE.compareAndSet(this, STARTING, IDLE) || STATE.compareAndSet(this, HOLDING, IDLE)) {
      scheduled.dispose();
      Admission waiting = admission;
      if (waiting != null) {
        waiting.dispose();
      }
    }
  }

  /** Returns why the scheduler took nothing, and then the state is IDLE; else null. */
  private @Nullable RejectedExecutionException schedule(int next, long delayNanos) {
    state = next;
    try {
      Runnable task = next == STARTING ? this::begin : this::endHold;
      scheduled.replace(
          delayNanos == 0
              ? config.scheduler().schedule(task)
              : config.scheduler().schedule(task, delayNanos, TimeUnit.NANOSECONDS));
      return null;
    } catch (RejectedExecutionException refusal) {
      // An attempt that began nevertheless will have an answer.
      return STATE.compareAndSet(this, next, IDLE) ? refusal : null;
    } catch (Throwable thrown) {
      STATE.compareAndSet(this, next, IDLE);
      throw thrown;
    }
  }

  /** Runs on the scheduler. Somebody waits for an answer, so whatever is thrown is one. */
  private void begin() {
    try {
      Admission next = new Admission(config.bulkhead(), config.scheduler(), this::beginAdmitted);
      admission = next;
      if (state == STARTING) { // else dropped
        generator.reservationDue();
        next.take();
      }
    } catch (Throwable thrown) {
      if (STATE.compareAndSet(this, STARTING, IN_FLIGHT)) {
        answered(Answer.failure(thrown));
      }
    }
  }

  /**
   * Runs on the scheduler. What is waited for is sized now, not when the wait for admission began.
   */
  private void beginAdmitted(Admission admitted) {
    if (!STATE.compareAndSet(this, STARTING, IN_FLIGHT)) {
      admitted.end(); // dropped
      return;
    }
    long size;
    try {
      size = generator.sizeNextReservation();
      SequenceExhaustedException end = check.end();
      if (size > 0 && end != null) {
        answered(Answer.failure(end));
        return;
      }
      if (size > 0) {
        new Reservation(config, this, size).begin();
      }
    } catch (Throwable thrown) {
      answered(Answer.failure(thrown));
      return;
    }
    if (size == 0) { // those who needed it have left; whoever comes next begins a round of attempts
      failuresThisRound = 0;
      admission = null;
      state = IDLE;
      admitted.end();
      generator.drain();
    }
  }

  /** Runs on the scheduler. */
  private void endHold() {
    scheduled.replace(null); // before the state lets another be scheduled
    if (STATE.compareAndSet(this, HOLDING, IDLE) && generator.hasWaiters()) {
      generator.drain();
    }
  }

  /** Takes the answer to the reservation in flight, from any thread. */
  void answered(Answer given) {
    Admission over = admission;
    try {
      if (over != null) {
        over.dispose(); // if it was not admitted
        over.end();
      }
    } finally {
      admission = null;
      answer = given;
      generator.drain();
    }
  }

  /** A block came after the reservation's time was up. */
  void answeredLate(SequenceBlock block) {
    generator.refuse(block.size(), 0);
  }

  /**
   * Takes note of the answer, if there is one. Called by the drain loop only.
   *
   * @return what is to be done about it, or null if there is nothing
   */
  @Nullable Settlement settle() {
    Answer given = answer;
    if (given == null) {
      return null;
    }
    answer = null;
    scheduled.replace(null); // it has run, and is not to be kept by an idle generator
    SequenceBlock block = given.block();
    if (block == null) {
      return fail(given, Objects.requireNonNull(given.failure()));
    }
    SequenceBlock usable;
    try {
      usable = check.usablePart(block, given.size());
    } catch (Throwable refused) {
      generator.refuse(block.size() - given.returned(), given.returned());
      return fail(given, refused);
    }
    return succeed(given, usable);
  }

  /** The state before any call: whatever is thrown by one, the next reservation can start. */
  private Settlement succeed(Answer given, SequenceBlock usable) {
    long unusable = given.size() - usable.size() - given.returned();
    Settlement settled = new Settlement.Obtained(usable, unusable, given.returned());
    failuresInARow = 0;
    failuresThisRound = 0;
    lastFailure = null;
    lastWord = null;
    succeeded = succeeded + 1;
    state = IDLE;
    config.metrics().reserved(config.sequence(), given.size(), given.nanos());
    return settled;
  }

  private @Nullable Settlement fail(Answer given, Throwable failure) {
    failuresInARow = Math.min(failuresInARow + 1, 1 << 16);
    failuresThisRound++;
    int attempts = failuresThisRound;
    lastFailure = failure;
    if (!(failure instanceof SequenceTimeoutException)) {
      lastWord = failure;
    }
    boolean permanent = isPermanent(failure);
    boolean again = !permanent && attempts < config.backoff().attempts();
    RejectedExecutionException refusal =
        schedule(again ? STARTING : HOLDING, config.backoff().delayNanos(failuresInARow));
    config.metrics().reservationFailed(config.sequence(), given.nanos(), failure);
    if (again && refusal == null) {
      return null;
    }
    failuresThisRound = 0;
    Supplier<SequenceException> error =
        permanent && failure instanceof SequenceException typed
            ? () -> typed
            : givenUp(attempts, failure, refusal);
    return new Settlement.Failed(error);
  }

  private Supplier<SequenceException> givenUp(
      int attempts, Throwable failure, @Nullable RejectedExecutionException refusal) {
    return () -> {
      SequenceException error =
          new SequenceReservationException(config.sequence(), attempts, failure);
      if (refusal != null) {
        error.addSuppressed(refusal);
      }
      return error;
    };
  }

  private static boolean isPermanent(Throwable failure) {
    return failure instanceof SequenceException typed
        ? typed.isPermanent()
        : failure instanceof IllegalArgumentException
            || failure instanceof UnsupportedOperationException;
  }

  /**
   * What came of one attempt to reserve {@code size} values: a block or a failure.
   *
   * @param returned how many values at the end of the block the store took back
   */
  record Answer(
      long size,
      long nanos,
      @Nullable SequenceBlock block,
      long returned,
      @Nullable Throwable failure) {

    /** What came of an attempt that did not reach the store. */
    static Answer failure(Throwable failure) {
      return new Answer(0, 0, null, 0, failure);
    }
  }
}
