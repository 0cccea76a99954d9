package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceTimeoutException;
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
 * #IN_FLIGHT}, and STARTING is entered only from READY, or after the reservation in flight has
 * failed. So there is never more than one. After a failure the state stays STARTING or {@link
 * #HOLDING} until the delay has passed, so no thread can start a reservation earlier. Only a
 * shutdown, or a scheduler that refuses the delay, ends it sooner.
 *
 * <p>Each attempt belongs to the generator. It is subscribed to on the scheduler, not on the thread
 * of the subscriber that needed it. No subscriber's cancel, context or thread-local reaches it.
 */
final class Refiller {

  /** No attempt is scheduled or in flight; one may start. */
  private static final int READY = 0;

  /** An attempt is scheduled: at once, or after the delay of a failed one. */
  private static final int STARTING = 1;

  private static final int IN_FLIGHT = 2;

  /**
   * The round of attempts failed. Nothing may start until the delay has passed. If the failure is
   * permanent, subscribers that come meanwhile receive it at once.
   */
  private static final int HOLDING = 3;

  private static final AtomicIntegerFieldUpdater<Refiller> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Refiller.class, "state");

  private final GeneratorConfig config;

  private final BufferedSequenceGenerator generator;
  private final BlockSizing sizing;
  private final BlockHistory history;

  private volatile int state = READY;

  /**
   * The reservation in flight. Set after the move to IN_FLIGHT; cleared when the drain loop settles
   * it.
   */
  private volatile @Nullable Reservation attempt;

  /** Failures since the last success. Used by the drain loop only. */
  private int failuresInARow;

  /**
   * Failures since the last success or since a round of attempts ended. Used by the drain loop and
   * by the attempt that begins. The drain loop does not touch it between the start of an attempt
   * and its answer.
   */
  private int failuresThisRound;

  /** The permanent failure that is held, or null. Used by the drain loop only, as is the next. */
  private Settlement.@Nullable Failed held;

  /**
   * When the hold ends, in the scheduler's nanoseconds. Its task may be late, because a subscriber
   * that retries a permanent failure at once keeps this thread from running it.
   */
  private long heldUntil;

  /** How many reservations succeeded. Written by the drain loop only. */
  private volatile long succeeded;

  /** Whether the store has shown that the counter exists. Set once, by any thread. */
  private volatile boolean counterKnown;

  /** Why the latest attempt failed, or null if it succeeded. Written by the drain loop only. */
  private volatile @Nullable Throwable lastFailure;

  /**
   * The latest failure since the last success that was not a timeout, or null. A timeout that
   * follows mostly has the same cause and says less about it. Written by the drain loop only.
   */
  private volatile @Nullable Throwable lastNonTimeoutFailure;

  /** The attempt, or the end of the hold, that is scheduled. */
  private final Disposable.Swap scheduled = Disposables.swap();

  /** What the drain loop is to do after an attempt has ended. */
  sealed interface Settlement {

    /**
     * There are values to issue.
     *
     * @param unusable how many other values of the block are a gap
     * @param returned how many further values the store took back
     */
    record Obtained(SequenceBlock usable, long unusable, long returned) implements Settlement {}

    /**
     * The waiting subscribers have to receive an error.
     *
     * @param error makes an error for each subscriber
     */
    record Failed(Supplier<SequenceException> error) implements Settlement {}
  }

  Refiller(GeneratorConfig config, BufferedSequenceGenerator generator, BlockSizing sizing) {
    this.config = config;
    this.generator = generator;
    this.sizing = sizing;
    this.history = new BlockHistory(config);
  }

  BlockHistory history() {
    return history;
  }

  boolean isReady() {
    return state == READY;
  }

  boolean isInFlight() {
    return state == IN_FLIGHT;
  }

  /** Whether the latest attempt failed, and another is under way or delayed. */
  boolean isFailing() {
    return lastFailure != null && state != READY;
  }

  boolean counterKnown() {
    return counterKnown;
  }

  void learnCounter() {
    counterKnown = true;
  }

  long succeeded() {
    return succeeded;
  }

  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /**
   * Starts a reservation unless one is scheduled, in flight or held back. Called by the drain loop
   * only.
   *
   * @return the failure to apply if the scheduler is shut down or refuses, or if a permanent one is
   *     held; or null
   */
  @Nullable Settlement start() {
    if (state != READY && config.scheduler().isDisposed()) { // no timeout ends a wait
      return new Settlement.Failed(givenUp(failuresThisRound, config.shutDown(lastFailure), null));
    }
    if (state != READY) {
      return state == HOLDING && now() - heldUntil < 0 ? held : null;
    }
    RuntimeException refusal = schedule(STARTING, 0);
    return refusal == null
        ? null
        : new Settlement.Failed(givenUp(failuresThisRound, refusal, null));
  }

  /**
   * Cancels the scheduled attempt or end of the hold; a reservation in flight goes on. Called by
   * the drain loop only.
   */
  void cancelScheduled() {
    if (STATE.compareAndSet(this, STARTING, READY) || STATE.compareAndSet(this, HOLDING, READY)) {
      scheduled.dispose();
    }
  }

  /**
   * Returns the refusal of the scheduler, and then the state is READY; null if it took the task.
   */
  private @Nullable RuntimeException schedule(int next, long delayNanos) {
    state = next;
    try {
      Runnable task = next == STARTING ? this::begin : this::endHold;
      scheduled.replace(
          delayNanos == 0
              ? config.scheduler().schedule(task)
              : config.scheduler().schedule(task, delayNanos, TimeUnit.NANOSECONDS));
      return null;
    } catch (RuntimeException refusal) {
      // If the attempt began nevertheless, it will have an answer.
      return STATE.compareAndSet(this, next, READY) ? refusal : null;
    }
  }

  /** Runs on the scheduler. */
  private void begin() {
    generator.afterPredecessor(this::ask);
  }

  /** Runs on the scheduler. */
  private void ask() {
    if (!STATE.compareAndSet(this, STARTING, IN_FLIGHT)) { // cancelled
      return;
    }
    sizing.due();
    long size = generator.sizeNextReservation();
    if (size == 0) { // the subscribers left; the next one starts a new round of attempts
      failuresThisRound = 0;
      state = READY;
      generator.drain();
      return;
    }
    Reservation next = new Reservation(config, this, size);
    attempt = next;
    SequenceException exhausted = history.end();
    if (exhausted == null) {
      next.begin();
    } else {
      next.onError(exhausted);
    }
  }

  /** Runs on the scheduler. */
  private void endHold() {
    scheduled.replace(null); // before the state lets another be scheduled
    if (STATE.compareAndSet(this, HOLDING, READY) && generator.hasWaiters()) {
      generator.drain();
    }
  }

  /** The {@link #attempt} is over. Called by any thread. */
  void ended() {
    generator.drain();
  }

  /** Counts a block that came after the reservation timeout as a gap. */
  void discardLate(SequenceBlock block) {
    learnCounter();
    generator.countUnused(block.size(), 0);
  }

  /**
   * Takes the attempt, if it is over, and updates the state. Called by the drain loop only.
   *
   * @return what the drain loop has to do, or null for nothing
   */
  @Nullable Settlement settle() {
    Reservation latest = attempt;
    if (latest == null || !latest.isOver()) {
      return null;
    }
    scheduled.replace(null); // the task has run; an idle generator must not keep it
    return settle(latest);
  }

  private @Nullable Settlement settle(Reservation ended) {
    long nanos = ended.nanos();
    SequenceBlock block = ended.block();
    if (block == null) {
      return fail(nanos, ended.failure(lastNonTimeoutFailure));
    }
    learnCounter();
    Settlement.Obtained obtained;
    try {
      SequenceBlock usable = history.usablePart(block, ended.size());
      long unusable = ended.size() - usable.size() - ended.returned();
      obtained = new Settlement.Obtained(usable, unusable, ended.returned());
    } catch (SequenceException refused) {
      Settlement failed = fail(nanos, refused);
      generator.countUnused(block.size() - ended.returned(), ended.returned());
      return failed;
    }
    succeed(ended.size(), nanos, obtained.usable());
    return obtained;
  }

  private void succeed(long size, long nanos, SequenceBlock usable) {
    history.accepted(usable);
    attempt = null;
    failuresInARow = 0;
    failuresThisRound = 0;
    lastFailure = null;
    lastNonTimeoutFailure = null;
    succeeded = succeeded + 1;
    state = READY;
    config.metrics().record(to -> to.reserved(config.sequence(), size, nanos));
  }

  private @Nullable Settlement fail(long nanos, Throwable failure) {
    boolean permanent = isPermanent(failure);
    int inARow = Math.min(failuresInARow + 1, 1 << 16);
    long delay = config.backoff().delayNanos(inARow);
    attempt = null;
    failuresInARow = inARow;
    failuresThisRound++;
    int attempts = failuresThisRound;
    lastFailure = failure;
    if (!(failure instanceof SequenceTimeoutException)) {
      lastNonTimeoutFailure = failure;
    }
    boolean again = !permanent && attempts < config.backoff().attempts();
    heldUntil = now() + delay;
    RuntimeException refusal = schedule(again ? STARTING : HOLDING, delay);
    boolean roundEnds = !again || refusal != null;
    if (roundEnds) {
      failuresThisRound = 0;
    }
    config.metrics().record(to -> to.reservationFailed(config.sequence(), nanos, failure));
    if (failure instanceof SequenceExhaustedException exhausted) {
      history.exhausted(exhausted);
    }
    if (!roundEnds) {
      return null;
    }
    Supplier<SequenceException> error =
        permanent && failure instanceof SequenceException typed
            ? () -> typed
            : givenUp(attempts, failure, refusal);
    Settlement.Failed failed = new Settlement.Failed(error);
    held = permanent ? failed : null;
    return failed;
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  private Supplier<SequenceException> givenUp(
      int attempts, Throwable failure, @Nullable RuntimeException refusal) {
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
}
