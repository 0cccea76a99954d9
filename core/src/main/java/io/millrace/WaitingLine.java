package io.millrace;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The subscribers that wait, first come, first served.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the places taken: a subscriber takes one before it
 * is added, and whoever moves it out of its waiting phase gives the place up. A subscriber in the
 * queue that is not waiting has left for good and is skipped, and removed when somebody passes.
 *
 * <p>Everybody waits equally long, so that the line is in the order of its deadlines and one timer,
 * set for the first of them, serves all.
 */
final class WaitingLine {

  private static final AtomicIntegerFieldUpdater<WaitingLine> WAITING =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "waiting");

  private static final AtomicIntegerFieldUpdater<WaitingLine> DEPARTED =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "departed");

  private static final AtomicIntegerFieldUpdater<WaitingLine> TIMER_SET =
      AtomicIntegerFieldUpdater.newUpdater(WaitingLine.class, "timerSet");

  /** So few that have left are not worth a walk through the queue. */
  private static final int TOLERATED_DEPARTED = 64;

  private final Queue<Waiter<?>> queue = new ConcurrentLinkedQueue<>();
  private final int maxWaiters;
  private final long timeoutNanos;
  private final Scheduler scheduler;

  /** Is told of each subscriber taken out of the line since its time was up. */
  private final Consumer<Waiter<?>> onTimeout;

  private volatile int waiting;

  /** About how many in the queue have left. */
  private volatile int departed;

  /** 1 while a timer is set, else 0. */
  private volatile int timerSet;

  WaitingLine(GeneratorConfig config, Consumer<Waiter<?>> onTimeout) {
    this.maxWaiters = config.maxWaiters();
    this.timeoutNanos = config.acquireTimeout().toNanos();
    this.scheduler = config.scheduler();
    this.onTimeout = onTimeout;
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
      if (taken >= maxWaiters && !mayExceedLimit) {
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
    queue.add(waiter);
    if (timeoutNanos > 0 && TIMER_SET.compareAndSet(this, 0, 1)) {
      setTimer(timeoutNanos);
    }
  }

  /**
   * Counts a subscriber that left by itself, and gives its place up.
   *
   * @return true if enough have left for {@link #removeDeparted} to be due
   */
  boolean depart() {
    givePlaceUp();
    return DEPARTED.incrementAndGet(this) > Math.max(TOLERATED_DEPARTED, waiting);
  }

  /** Forgets those who have left, if they are many. Called by the drain loop only. */
  void removeDeparted() {
    if (departed > Math.max(TOLERATED_DEPARTED, waiting)) {
      departed = 0;
      queue.removeIf(waiter -> !waiter.isWaiting());
    }
  }

  /** Those in line, from the front. Removal is for the drain loop only. */
  Iterator<Waiter<?>> iterator() {
    return queue.iterator();
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

  /**
   * Takes everybody who waits now out of the line; those who come while the error is passed on to
   * these are not among them. Called by the drain loop only.
   */
  List<Waiter<?>> takeAll() {
    List<Waiter<?>> taken = new ArrayList<>();
    for (Waiter<?> waiter = queue.poll(); waiter != null; waiter = queue.poll()) {
      if (waiter.moveTo(Waiter.WAITING, Waiter.DONE)) {
        givePlaceUp();
        taken.add(waiter);
      }
    }
    return taken;
  }

  private void setTimer(long nanos) {
    try {
      scheduler.schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException shutDown) {
      timerSet = 0; // without a clock there are no timeouts
    }
  }

  /** Takes those whose time is up out of the line. Runs on the scheduler, one run at a time. */
  private void expire() {
    long now = scheduler.now(TimeUnit.NANOSECONDS);
    for (Waiter<?> waiter : queue) {
      if (!waiter.isWaiting()) {
        continue;
      }
      long left = waiter.waitingSince() + timeoutNanos - now;
      if (left > 0) {
        setTimer(left);
        return;
      }
      if (waiter.moveTo(Waiter.WAITING, Waiter.DONE)) {
        onTimeout.accept(waiter);
      }
    }
    timerSet = 0;
    // Somebody who came since found the timer set, and did not set it.
    if (waiting > 0 && TIMER_SET.compareAndSet(this, 0, 1)) {
      setTimer(timeoutNanos);
    }
  }
}
