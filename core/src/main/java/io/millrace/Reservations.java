package io.millrace;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
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
   * The latest attempt's turn at the store. Written by the attempt, before it looks at the state
   * again; given up by the drain loop, after it has changed the state; null once the attempt is
   * over, and that before the state or an answer says so, or it could be the next attempt's.
   */
  private volatile @Nullable Turn turn;

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
  boolean isWaitingForTurn() {
    Turn latest = turn;
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

  /** Starts a reservation if none is on its way or held back. Called by the drain loop only. */
  void start() {
    if (state == IDLE) {
      schedule(STARTING, 0);
    }
  }

  /** Drops what is scheduled and not in flight. Called by the drain loop only. */
  void cancelScheduled() {
    if (STATE.compareAndSet(this, STARTING, IDLE) || STATE.compareAndSet(this, HOLDING, IDLE)) {
      scheduled.dispose();
      Turn waiting = turn;
      if (waiting != null) {
        waiting.dispose();
      }
    }
  }

  private void schedule(int next, long delayNanos) {
    state = next;
    try {
      Runnable task = next == STARTING ? this::begin : this::endHold;
      scheduled.replace(
          delayNanos == 0
              ? config.scheduler().schedule(task)
              : config.scheduler().schedule(task, delayNanos, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException shutDown) {
      state = IDLE;
      if (next == STARTING) {
        generator.giveUp(() -> new SequenceReservationException(config.sequence(), 1, shutDown));
      }
    }
  }

  /** Runs on the scheduler. */
  private void begin() {
    Turn next = new Turn(config.turnstile(), config.scheduler(), this::beginInTurn);
    turn = next;
    if (state == STARTING) { // else dropped
      generator.reservationDue();
      next.take();
    }
  }

  /** Runs on the scheduler. What is waited for is sized now, not when the wait for a turn began. */
  private void beginInTurn(Turn admitted) {
    if (!STATE.compareAndSet(this, STARTING, IN_FLIGHT)) {
      admitted.end(); // dropped
      return;
    }
    long size = generator.sizeNextReservation();
    if (size > 0) {
      new Reservation(config, this, size).begin();
    } else { // those who needed it have left; whoever comes next begins a round of attempts
      failuresThisRound = 0;
      turn = null;
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
    Turn over = turn;
    if (over != null) {
      over.end();
      turn = null;
    }
    answer = given;
    generator.drain();
  }

  /** A block came after the reservation's time was up. */
  void answeredLate(SequenceBlock block) {
    generator.discardLate(block);
  }

  /** Does what the answer asks for, if there is one. Called by the drain loop only. */
  void settle() {
    Answer given = answer;
    if (given == null) {
      return;
    }
    answer = null;
    scheduled.replace(null); // it has run, and is not to be kept by an idle generator
    SequenceBlock usable = null;
    Throwable failure = given.failure();
    if (given.block() != null) {
      try {
        usable = check.usablePart(given.block(), given.size());
      } catch (SequenceException refused) {
        failure = refused;
      }
    }
    if (usable != null) {
      succeed(given, usable);
    } else if (failure != null) {
      fail(given, failure);
    }
  }

  private void succeed(Answer given, SequenceBlock usable) {
    failuresInARow = 0;
    failuresThisRound = 0;
    lastFailure = null;
    succeeded = succeeded + 1;
    config.metrics().reserved(config.sequence(), given.size(), given.nanos());
    state = IDLE;
    generator.accept(usable, given.size() - usable.size());
  }

  private void fail(Answer given, Throwable failure) {
    failuresInARow = Math.min(failuresInARow + 1, 1 << 16);
    failuresThisRound++;
    lastFailure = failure;
    config.metrics().reservationFailed(config.sequence(), given.nanos(), failure);
    long delay = config.backoff().delayNanos(failuresInARow);
    boolean permanent = isPermanent(failure);
    if (!permanent && failuresThisRound < config.backoff().attempts()) {
      schedule(STARTING, delay);
      return;
    }
    int attempts = failuresThisRound;
    failuresThisRound = 0;
    schedule(HOLDING, delay);
    generator.giveUp(
        () ->
            permanent && failure instanceof SequenceException typed
                ? typed
                : new SequenceReservationException(config.sequence(), attempts, failure));
  }

  private static boolean isPermanent(Throwable failure) {
    return failure instanceof SequenceException typed
        ? typed.isPermanent()
        : failure instanceof IllegalArgumentException
            || failure instanceof UnsupportedOperationException;
  }

  /** What came of one attempt to reserve {@code size} values: a block or a failure. */
  record Answer(
      long size, long nanos, @Nullable SequenceBlock block, @Nullable Throwable failure) {}
}
