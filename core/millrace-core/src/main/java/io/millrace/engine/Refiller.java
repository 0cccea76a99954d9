package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.SequenceTimeoutException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Reserves blocks, one at a time: asks the store, validates the block and appends it to the buffer.
 * After a failure it backs off.
 *
 * <p><b>Invariant.</b> A reservation begins only by the move from {@link #STARTING} to {@link
 * #IN_FLIGHT}, and STARTING is entered only from READY, or after the reservation in flight has
 * failed. So there is never more than one. After a failure the state stays STARTING or {@link
 * #BACKING_OFF} until the delay has passed, so no thread can start a reservation earlier. Only a
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

  /** The round of attempts failed. Nothing may start until the delay has passed. */
  private static final int BACKING_OFF = 3;

  private static final AtomicIntegerFieldUpdater<Refiller> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Refiller.class, "state");

  private final GeneratorConfig config;
  private final BufferedSequenceGenerator generator;
  private final Buffer buffer;
  final BlockSizing sizing;

  private volatile int state = READY;

  /** Set on entering IN_FLIGHT; cleared when the drain loop settles the attempt. */
  private volatile @Nullable Attempt attempt;

  /** Failures since the last success. Used by the drain loop only. */
  private int failuresInARow;

  /**
   * Failures since the last success or since a round of attempts ended. Used by the drain loop and
   * by the attempt that begins. The drain loop does not touch it between the start of an attempt
   * and its answer.
   */
  private int failuresThisRound;

  /**
   * When the delay ends, in the scheduler's nanoseconds. Its task may be late, because a subscriber
   * that retries a permanent failure at once keeps this thread from running it. Used by the drain
   * loop only.
   */
  private long delayedUntil;

  /** How many reservations succeeded. Written by the drain loop only. */
  private volatile long succeeded;

  /** Whether the store has shown that the counter exists. Set once, by any thread. */
  private volatile boolean counterKnown;

  /** Why the latest attempt failed, or null if it succeeded. Written by the drain loop only. */
  private volatile @Nullable Throwable lastFailure;

  /** The attempt, or the end of the delay, that is scheduled. */
  private final Disposable.Swap scheduled = Disposables.swap();

  /** The last usable value of the latest block, or null. Used by the drain loop only. */
  private @Nullable Long highest;

  /**
   * The value after which values are left; null while it is not known. It stays null for a store
   * that is not ordered or returns explicit values: its largest value says nothing about the next
   * ones. Written by the drain loop only.
   */
  private volatile @Nullable Long leftAfter;

  /**
   * Whether the counter was past the largest value, so that it is read before it is moved. Written
   * by the drain loop and read by the attempt that begins, never at the same time.
   */
  private volatile boolean exhausted;

  Refiller(GeneratorConfig config, BufferedSequenceGenerator generator, Buffer buffer) {
    this.config = config;
    this.generator = generator;
    this.buffer = buffer;
    this.sizing = new BlockSizing(config.blocks(), config.scheduler());
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

  // When to ask.

  /**
   * Whether the chain has no more values than the low watermark, so that the next block has to be
   * reserved. Fragments do not count: the next subscriber may be able to use none of them.
   */
  boolean isAtWatermark() {
    long lowWatermark = sizing.lowWatermark();
    return lowWatermark > 0 && buffer.leftInChain() <= lowWatermark;
  }

  /**
   * Starts a reservation unless one is scheduled, in flight or held back. Fails the waiters if the
   * scheduler refuses, or during the delay after a permanent failure. Called by the drain loop
   * only.
   */
  void start() {
    if (state == READY) {
      RuntimeException refusal = schedule(STARTING, 0);
      if (refusal != null) {
        generator.waiters.fail(gaveUp(failuresThisRound, refusal, null));
      }
    } else if (state == BACKING_OFF && now() - delayedUntil < 0) {
      SequenceException permanent = permanent(lastFailure);
      if (permanent != null) {
        generator.waiters.fail(() -> permanent);
      }
    }
  }

  /**
   * Cancels the scheduled attempt or end of the delay; a reservation in flight goes on. Called by
   * the drain loop only.
   */
  void cancelScheduled() {
    if (STATE.compareAndSet(this, STARTING, READY)
        || STATE.compareAndSet(this, BACKING_OFF, READY)) {
      scheduled.dispose();
    }
  }

  /**
   * Returns the refusal of the scheduler, and then the state is READY; null if it took the task.
   */
  private @Nullable RuntimeException schedule(int next, long delayNanos) {
    state = next;
    try {
      Runnable task = next == STARTING ? this::askInTurn : this::endDelay;
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
  private void endDelay() {
    scheduled.replace(null); // before the state lets another be scheduled
    if (STATE.compareAndSet(this, BACKING_OFF, READY) && generator.hasWaiters()) {
      generator.drain();
    }
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  // Asking.

  /** Runs on the scheduler. */
  private void askInTurn() {
    generator.afterPredecessor(this::ask);
  }

  /** Runs on the scheduler. */
  private void ask() {
    if (!STATE.compareAndSet(this, STARTING, IN_FLIGHT)) { // cancelled
      return;
    }
    long size = size();
    if (size == 0) { // the subscribers left; the next one starts a new round of attempts
      failuresThisRound = 0;
      state = READY;
      generator.drain();
      return;
    }
    Attempt next = new Attempt(size, now());
    attempt = next;
    if (limitTime(next)) {
      next.request.update(
          config
              .reserve(size, counterKnown, exhausted)
              .doOnNext(block -> arrive(next, block))
              .switchIfEmpty(
                  Mono.error(
                      () -> broken("completed without a block of " + size + " values", null)))
              .subscribe(block -> generator.drain(), failure -> end(next, failure)));
    }
  }

  /**
   * How many values to reserve now; 0 if none are needed. In the ordered mode this call decides
   * which waiters share the reservation; later waiters wait for the next one.
   */
  private long size() {
    if (generator.isDisposed()) {
      return 0;
    }
    WaiterQueue waiters = generator.waiters;
    long unmet = config.isOrderedMode() ? waiters.noteShares() : waiters.unmetDemand();
    long size = sizing.begin(buffer.issued(), unmet, buffer.buffered());
    return unmet > 0 || isAtWatermark() ? size : 0;
  }

  /** Sets the timer of an attempt, before the request. False if the scheduler refuses it. */
  private boolean limitTime(Attempt asked) {
    long nanos = config.reservationTimeout().toNanos();
    try {
      if (nanos > 0) {
        asked.timer.update(
            config.scheduler().schedule(() -> runOut(asked), nanos, TimeUnit.NANOSECONDS));
      }
      return true;
    } catch (RuntimeException refused) {
      end(asked, config.refused(refused));
      return false;
    }
  }

  private void runOut(Attempt asked) {
    Throwable last = lastFailure;
    // A timeout mostly has the same cause as the failure before it, and says less about it.
    Throwable before = last instanceof SequenceTimeoutException ? last.getCause() : last;
    asked.timer.replace(null); // or the end of the attempt would interrupt the cancel
    end(asked, config.timedOut(before));
    asked.request.dispose();
  }

  /** Notes the answer of an attempt. A second block, or one after a failure, is a gap. */
  private void arrive(Attempt asked, SequenceBlock block) {
    if (!asked.answer.compareAndSet(null, block)) {
      learnCounter();
      buffer.countUnusable(block.size());
    }
  }

  private void end(Attempt asked, Throwable failure) {
    asked.answer.compareAndSet(null, failure);
    generator.drain();
  }

  // The answer.

  /** One request to the store. */
  private static final class Attempt {

    private final long size;
    private final long startedAt;

    /** The first event: a {@link SequenceBlock}, or why there is none; null before that. */
    private final AtomicReference<@Nullable Object> answer = new AtomicReference<>();

    private final Disposable.Swap request = Disposables.swap();
    private final Disposable.Swap timer = Disposables.swap();

    Attempt(long size, long startedAt) {
      this.size = size;
      this.startedAt = startedAt;
    }
  }

  /**
   * Settles the attempt if it was answered: takes its values over, or fails the waiters if there
   * will be no further attempt. Called by the drain loop only.
   */
  void settle() {
    Attempt ended = attempt;
    Object answer = ended == null ? null : ended.answer.get();
    if (ended == null || answer == null) {
      return;
    }
    attempt = null;
    ended.timer.dispose();
    scheduled.replace(null); // the task has run; an idle generator must not keep it
    long nanos = now() - ended.startedAt;
    if (answer instanceof SequenceBlock block) {
      accept(block, ended.size, nanos);
    } else {
      fail((Throwable) answer, nanos);
    }
  }

  private void accept(SequenceBlock block, long asked, long nanos) {
    learnCounter();
    SequenceBlock usable;
    try {
      usable = usablePart(block, asked);
    } catch (SequenceException refused) {
      buffer.countUnusable(block.size());
      fail(refused, nanos);
      return;
    }
    Long last = usable.last();
    highest = last;
    if (config.store().isOrdered()) {
      leftAfter = usable.isRun() ? last : null;
    }
    exhausted = false;
    failuresInARow = 0;
    failuresThisRound = 0;
    lastFailure = null;
    succeeded = succeeded + 1;
    state = READY;
    config.metrics().record(to -> to.reserved(config.sequence(), asked, nanos));
    buffer.countUnusable(block.size() - usable.size());
    issue(usable);
  }

  /**
   * Takes values over. They count as reserved only once they are buffered, discarded or granted;
   * otherwise a snapshot would count them as issued.
   */
  private void issue(SequenceBlock usable) {
    if (config.isOrderedMode() && !generator.isDisposed()) {
      generator.waiters.serveShares(usable);
    } else {
      sizing.end(buffer.issued(), generator.waiters.unmetDemand());
      buffer.append(usable, sizing.lowWatermark());
    }
  }

  private void fail(Throwable reason, long nanos) {
    Throwable failure = isMisuse(reason) ? broken("cannot do this: " + reason, reason) : reason;
    SequenceException permanent = permanent(failure);
    failuresInARow++;
    int attempts = ++failuresThisRound;
    lastFailure = failure;
    if (failure instanceof SequenceExhaustedException atEnd && config.store().isOrdered()) {
      leftAfter = Math.min(atEnd.nextValue() - 1, largest());
    }
    long delay = config.backoff().delayNanos(failuresInARow);
    delayedUntil = now() + delay;
    boolean again = permanent == null && attempts < config.backoff().attempts();
    RuntimeException refusal = schedule(again ? STARTING : BACKING_OFF, delay);
    config.metrics().record(to -> to.reservationFailed(config.sequence(), nanos, failure));
    if (again && refusal == null) {
      return;
    }
    failuresThisRound = 0;
    generator.waiters.fail(
        permanent != null ? () -> permanent : gaveUp(attempts, failure, refusal));
  }

  /** The failure if it is permanent; else null. */
  private static @Nullable SequenceException permanent(@Nullable Throwable failure) {
    return failure instanceof SequenceException typed && typed.isPermanent() ? typed : null;
  }

  /** A request that is illegal cannot succeed later either. */
  private static boolean isMisuse(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || failure instanceof UnsupportedOperationException;
  }

  private SequenceStoreException broken(String message, @Nullable Throwable cause) {
    return new SequenceStoreException(config.sequence(), message, cause);
  }

  private Supplier<SequenceException> gaveUp(
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

  // Validating a block against the previous ones, and the remaining range.

  /**
   * Returns the part of a block that may be issued: all of it, or its values up to the largest
   * allowed. If the block breaks the contract of the store, none of its values is issued.
   *
   * @throws SequenceException if the block breaks the contract, or all of it is too large
   */
  private SequenceBlock usablePart(SequenceBlock block, long asked) {
    if (block.size() != asked) {
      throw broken(
          "returned a block of "
              + block.size()
              + " values when "
              + asked
              + " were requested; the block is not used",
          null);
    }
    if (config.store().isOrdered()) {
      checkRises(block);
    }
    SequenceBlock usable = block.upTo(config.maxValue());
    if (usable == null) {
      exhausted = config.store().isOrdered();
      throw new SequenceExhaustedException(
          config.sequence(), block.first(), asked, config.maxValue());
    }
    return usable;
  }

  private void checkRises(SequenceBlock block) {
    Long before = highest;
    for (long index = 0; index < (block.isRun() ? 1 : block.size()); index++) {
      long value = block.valueAt(index);
      if (before != null && value <= before) {
        throw new SequenceRegressionException(config.sequence(), before, value);
      }
      before = value;
    }
  }

  /** The largest value that the sequence can have. */
  private long largest() {
    return Math.min(config.maxValue(), SequenceState.LARGEST_VALUE);
  }

  /** How many values are left; empty if that is not known. Read by any thread. */
  OptionalLong remaining() {
    Long last = leftAfter;
    if (last == null) {
      return OptionalLong.empty();
    }
    long difference = largest() - last;
    boolean overflows = last < 0 && largest() >= 0 && difference < 0;
    return OptionalLong.of(overflows ? Long.MAX_VALUE : Math.max(0, difference));
  }
}
