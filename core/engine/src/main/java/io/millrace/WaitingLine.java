package io.millrace;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Operators;

/**
 * The subscribers that wait, first come, first served.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the places taken: a subscriber takes one before it
 * is added, and whoever moves it out of its waiting phase gives the place up. A subscriber in the
 * queue that is not waiting has left for good and is skipped, and removed when somebody passes.
 *
 * <p>Everybody waits equally long, so that the line is in the order of its deadlines and one timer,
 * set for the first of them, serves all. It also has the generator look after those who wait now
 * and then, in case what should have done so was broken off by an error of the virtual machine.
 */
final class WaitingLine {

  private static final AtomicIntegerFieldUpdater<WaitingLine> WAITING =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "waiting");

  private static final AtomicIntegerFieldUpdater<WaitingLine> DEPARTED =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "departed");

  private static final AtomicIntegerFieldUpdater<WaitingLine> TIMER_STATE =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "timerState");

  /** No timer is set. */
  private static final int IDLE = 0;

  /** A timer is set, or being set. */
  private static final int SET = 1;

  /** No timer stays set from now on. */
  private static final int CLOSED = 2;

  /** With fewer cancelled waiters than this, the queue is not searched for them. */
  private static final int TOLERATED_DEPARTED = 64;

  private static final WeakReference<Disposable> NONE = new WeakReference<>(null);

  /** While somebody waits, the generator looks after them at least so often. */
  private static final long LOOK_AFTER_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Queue<Waiter<?>> queue = new ConcurrentLinkedQueue<>();
  private final GeneratorConfig config;
  private final BufferedSequenceGenerator generator;
  private final Buffer buffer;
  private final Delivery delivery;

  /** Claims for those who wait. Used by the drain loop only. */
  private final Claim granted = new Claim();

  /** The latest timer. Weak, so that an idle generator keeps none; its scheduler does. */
  private volatile WeakReference<Disposable> timer = NONE;

  private volatile int waiting;

  /** About how many in the queue have left. */
  private volatile int departed;

  /** {@link #IDLE}, {@link #SET} or {@link #CLOSED}. */
  private volatile int timerState = IDLE;

  WaitingLine(GeneratorConfig config, BufferedSequenceGenerator generator, Buffer buffer) {
    this.config = config;
    this.generator = generator;
    this.buffer = buffer;
    this.delivery = new Delivery(config);
  }

  int size() {
    return waiting;
  }

  /** How many the queue holds, those who have left and are not forgotten yet among them. */
  int queueLength() {
    return queue.size();
  }

  boolean isEmpty() {
    return waiting == 0;
  }

  /** Takes a place; false if all are taken and that matters to the subscriber. */
  boolean takePlace(boolean mayExceedLimit) {
    for (; ; ) {
      int taken = waiting;
      if (taken >= config.maxWaiters() && !mayExceedLimit) {
        return false;
      }
      if (WAITING.compareAndSet(this, taken, taken + 1)) {
        return true;
      }
    }
  }

  void givePlaceUp() {
    WAITING.decrementAndGet(this);
  }

  /** Adds a subscriber that has taken a place and waits. */
  void add(Waiter<?> waiter) {
    try {
      queue.add(waiter);
    } catch (Throwable outOfMemory) {
      if (waiter.moveTo(Waiter.WAITING, Waiter.DONE)) {
        givePlaceUp();
      }
      throw outOfMemory;
    }
  }

  /** Has a timer set if anybody waits. Any thread, since the drain loop may be held up. */
  void ensureTimer() {
    if (waiting > 0 && timerState == IDLE && TIMER_STATE.compareAndSet(this, IDLE, SET)) {
      setTimer();
    }
  }

  /** Ends the timer for good. Those who wait are told by others. */
  void close() {
    timerState = CLOSED;
    cancelTimer();
  }

  private void cancelTimer() {
    Disposable set = timer.get();
    if (set != null) {
      set.dispose();
    }
  }

  /**
   * Counts a subscriber that left by itself, and gives its place up.
   *
   * @return true if {@link #removeDeparted} is due
   */
  boolean depart() {
    DEPARTED.incrementAndGet(this);
    givePlaceUp();
    return isSweepDue();
  }

  /** Forgets those who have left, if they are many or all. Called by the drain loop only. */
  void removeDeparted() {
    if (isSweepDue()) {
      departed = 0;
      queue.removeIf(waiter -> !waiter.isWaiting());
    }
  }

  private boolean isSweepDue() {
    int left = departed;
    int waits = waiting;
    return left > 0 && (waits == 0 || left > Math.max(TOLERATED_DEPARTED, waits));
  }

  /**
   * Gives each who waits one chunk from the buffer, in order, again and again until nobody waits or
   * the buffer is empty. Called by the drain loop only.
   */
  void serve() {
    boolean served = true;
    while (served && !isEmpty()) {
      served = false;
      for (Iterator<Waiter<?>> each = queue.iterator(); each.hasNext(); ) {
        Waiter<?> waiter = each.next();
        if (!waiter.isWaiting()) {
          each.remove();
          continue;
        }
        long wanted = Math.min(waiter.unmet(), BufferedSequenceGenerator.CHUNK);
        granted.follow(waiter);
        if (buffer.claim(granted, wanted)) {
          served = true;
          each.remove();
          grant(waiter);
        } else if (!buffer.hasFragments()) {
          return;
        } // else a fragment too low for this one may do for the next
      }
    }
  }

  private void grant(Waiter<?> waiter) {
    if (waiter.grant(granted)) {
      delivery.signal(waiter);
      config.metrics().waited(config.sequence(), now() - waiter.waitingSince());
    }
  }

  /**
   * In the ordered mode, gives the values of a reservation to those who asked before it began, each
   * its share, in order. A share is granted whole, however large: what is not granted now is a gap,
   * since to give it to anybody who asked later would break the order. Called by the drain loop
   * only.
   */
  void serveShares(SequenceBlock values) {
    LiveBlock block = new LiveBlock(values, 0);
    long counted = 0; // of the block, as reserved; a share that is put back may be granted again
    for (Iterator<Waiter<?>> each = queue.iterator(); each.hasNext() && block.left() > 0; ) {
      Waiter<?> waiter = each.next();
      if (!waiter.isWaiting()) {
        each.remove();
      } else if (waiter.share() > 0) {
        long share = Math.min(waiter.share(), block.left());
        long from = block.claim(share);
        waiter.share(0);
        granted.hold(block, from, share);
        each.remove();
        buffer.countReserved(Math.max(0, from + share - counted));
        counted = Math.max(counted, from + share);
        grant(waiter);
      }
    }
    buffer.discard(counted - block.seal());
    buffer.countUnusable(block.size() - counted);
  }

  /**
   * Ends everybody who waits now, each with an error of its own where that can be made: operators
   * attach more to the errors they pass. Called by the drain loop only.
   */
  void fail(Supplier<SequenceException> error) {
    for (int left = queue.size(); left > 0; left--) { // those who come meanwhile come behind
      Waiter<?> waiter = takeFirst();
      if (waiter != null) {
        delivery.signal(() -> waiter.fail(error.get()));
      }
    }
  }

  /** Signals a subscriber where values that had to wait are delivered. */
  void signal(Runnable signal) {
    delivery.signal(signal);
  }

  /** Whether any thread may deliver values that had to wait. */
  boolean signalsAnywhere() {
    return delivery.isAnywhere();
  }

  /** What those who wait have asked for and not been given; saturates. */
  long unmetDemand() {
    return unmetDemand(Long.MAX_VALUE);
  }

  /**
   * The same, or at least the limit if it is more than that: who looks no further than he has to
   * spares himself the walk along a line that is longer than what he can do for it.
   */
  long unmetDemand(long limit) {
    long sum = 0;
    for (Waiter<?> waiter : queue) {
      if (sum >= limit) {
        break;
      }
      if (waiter.isWaiting()) {
        sum = Operators.addCap(sum, waiter.unmet());
      }
    }
    return sum;
  }

  /** The unmet demand, with each waiter's part of it noted as its share of a reservation. */
  long noteShares() {
    long sum = 0;
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        long share = waiter.unmet();
        waiter.share(share);
        sum = Operators.addCap(sum, share);
      }
    }
    return sum;
  }

  /** Takes the first in the queue out of it, and out of the line; null if it has left before. */
  private @Nullable Waiter<?> takeFirst() {
    Waiter<?> first = queue.poll();
    if (first == null || !first.moveTo(Waiter.WAITING, Waiter.DONE)) {
      return null;
    }
    givePlaceUp();
    return first;
  }

  /** Sets the timer for the first in line. The caller has noted that one is set. */
  private void setTimer() {
    try {
      long nanos = LOOK_AFTER_NANOS;
      if (hasTimeout()) {
        nanos = Math.min(nanos, timeLeft(now()));
      }
      Disposable set = config.scheduler().schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
      timer = new WeakReference<>(set);
      if (timerState == CLOSED) {
        cancelTimer();
      }
    } catch (Throwable refused) {
      TIMER_STATE.compareAndSet(
          this, SET, IDLE); // without a clock there are no timeouts; the next in line tries again
    }
  }

  /** Takes those whose time is up out of the line. Runs on the scheduler, one run at a time. */
  private void expire() {
    try {
      if (hasTimeout()) {
        timeOutOverdue();
      }
    } finally {
      timer = NONE;
      TIMER_STATE.compareAndSet(this, SET, IDLE);
    }
    if (waiting > 0) {
      ensureTimer();
      generator.drain();
    }
  }

  private boolean hasTimeout() {
    return !config.acquireTimeout().isZero();
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  private void timeOutOverdue() {
    long now = now();
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        if (timeLeft(waiter, now) > 0) {
          return;
        }
        if (waiter.moveTo(Waiter.WAITING, Waiter.DONE)) {
          generator.timeOut(waiter);
        }
      }
    }
  }

  /** How long the first in line may still wait. */
  private long timeLeft(long now) {
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        return Math.max(0, timeLeft(waiter, now));
      }
    }
    return config.acquireTimeout().toNanos();
  }

  private long timeLeft(Waiter<?> waiter, long now) {
    return waiter.waitingSince() + config.acquireTimeout().toNanos() - now;
  }
}
