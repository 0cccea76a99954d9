package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.internal.DeadlineTimer;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Supplier;
import reactor.core.publisher.Operators;

/**
 * The subscribers that wait, first come, first served.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the places taken, and {@link #unmet} and {@link
 * #unbounded} the demand of those who have one: a subscriber takes a place before it is added. The
 * thread that moves it out of its waiting phase gives the place up. A subscriber in the queue that
 * is not waiting has left forever. The drain loop skips and removes it.
 *
 * <p>All subscribers have the same timeout, so the queue is in the order of deadlines. One timer,
 * set for the first deadline, is enough.
 */
final class WaiterQueue {

  private static final AtomicIntegerFieldUpdater<WaiterQueue> WAITING =
      AtomicIntegerFieldUpdater.newUpdater(WaiterQueue.class, "waiting");

  private static final AtomicIntegerFieldUpdater<WaiterQueue> DEPARTED =
      AtomicIntegerFieldUpdater.newUpdater(WaiterQueue.class, "departed");

  private static final AtomicLongFieldUpdater<WaiterQueue> UNMET =
      AtomicLongFieldUpdater.newUpdater(WaiterQueue.class, "unmet");

  private static final AtomicIntegerFieldUpdater<WaiterQueue> UNBOUNDED =
      AtomicIntegerFieldUpdater.newUpdater(WaiterQueue.class, "unbounded");

  /** While waiters remain, the queue is swept only when more entries than this are stale. */
  private static final int TOLERATED_DEPARTED = 64;

  /** A larger demand of a waiter counts as this. No reservation is larger, and sums stay small. */
  private static final long LARGEST_DEMAND = 1L << 40;

  private final Queue<Waiter<?>> queue = new ConcurrentLinkedQueue<>();
  private final GeneratorConfig config;
  private final BufferedSequenceGenerator generator;
  private final Buffer buffer;

  /** The claim that the drain loop makes for a waiter. Used by the drain loop only. */
  private final Claim granted = new Claim();

  private final DeadlineTimer timer;

  private volatile int waiting;

  /**
   * The sum of the bounded demand of the waiters. Negative for a moment when a waiter leaves while
   * its demand is raised.
   */
  private volatile long unmet;

  /** How many waiters have an unbounded demand. */
  private volatile int unbounded;

  /** Approximately how many entries in the queue are stale. */
  private volatile int departed;

  WaiterQueue(GeneratorConfig config, BufferedSequenceGenerator generator, Buffer buffer) {
    this.config = config;
    this.generator = generator;
    this.buffer = buffer;
    this.timer = new DeadlineTimer(config.scheduler(), this::timeLeft, this::timeOutOverdue);
  }

  int size() {
    return waiting;
  }

  /** For tests: how many entries the queue holds, including those of subscribers that have left. */
  int queueLength() {
    return queue.size();
  }

  boolean isEmpty() {
    return waiting == 0;
  }

  /** Takes a place; false if the queue is full and the subscriber may not exceed the limit. */
  boolean takePlace(Waiter<?> waiter) {
    for (; ; ) {
      int taken = waiting;
      if (taken >= config.maxWaiters() && !waiter.mayExceedLimit()) {
        return false;
      }
      if (WAITING.compareAndSet(this, taken, taken + 1)) {
        addDemand(waiter.startCounting());
        return true;
      }
    }
  }

  void givePlaceUp(Waiter<?> waiter) {
    subtractDemand(waiter.stopCounting());
    WAITING.decrementAndGet(this);
  }

  /** Counts more demand for a waiter that has requested more. */
  void raiseDemand(long before, long now) {
    addDemand(now);
    subtractDemand(before);
  }

  private void addDemand(long demand) {
    if (demand == Long.MAX_VALUE) {
      UNBOUNDED.incrementAndGet(this);
    } else {
      UNMET.addAndGet(this, Math.min(demand, LARGEST_DEMAND));
    }
  }

  private void subtractDemand(long demand) {
    if (demand == Long.MAX_VALUE) {
      UNBOUNDED.decrementAndGet(this);
    } else {
      UNMET.addAndGet(this, -Math.min(demand, LARGEST_DEMAND));
    }
  }

  /** The unmet demand; {@link Long#MAX_VALUE} if it is unbounded. */
  long unmetDemand() {
    return unbounded > 0 ? Long.MAX_VALUE : Math.max(0, unmet);
  }

  /** Adds a subscriber that has taken a place and waits. */
  void add(Waiter<?> waiter) {
    queue.add(waiter);
  }

  /** Sets the timer if a subscriber waits. Any thread, since the drain loop may be delayed. */
  void ensureTimer() {
    if (!config.acquireTimeout().isZero()) {
      timer.ensureSet();
    }
  }

  /** Cancels the timer forever. It does not signal the waiters. */
  void close() {
    timer.dispose();
  }

  /**
   * Counts a subscriber that left without values, and gives its place up.
   *
   * @return true if {@link #removeDeparted} is due
   */
  boolean depart(Waiter<?> waiter) {
    DEPARTED.incrementAndGet(this);
    givePlaceUp(waiter);
    return isSweepDue();
  }

  /**
   * Removes stale entries, if they are many or no subscriber waits. Called by the drain loop only.
   */
  void removeDeparted() {
    int left = departed;
    if (isSweepDue()) {
      queue.removeIf(waiter -> !waiter.isWaiting());
      DEPARTED.addAndGet(this, -left);
    }
  }

  private boolean isSweepDue() {
    int left = departed;
    int waits = waiting;
    return left > 0 && (waits == 0 || left > Math.max(TOLERATED_DEPARTED, waits));
  }

  /**
   * Gives each waiter one chunk from the buffer, in order, and repeats until no subscriber waits or
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
        } // else the next waiter may be able to use a fragment that is too low for this one
      }
    }
  }

  private void grant(Waiter<?> waiter) {
    if (!waiter.startGranting()) { // it left meanwhile
      granted.giveBack(buffer);
      return;
    }
    givePlaceUp(waiter);
    if (waiter.grant(granted)) {
      waiter.signal();
      if (!config.metrics().isIdle()) {
        long nanos = now() - waiter.waitingSince;
        config.metrics().record(to -> to.waited(config.sequence(), nanos));
      }
    }
  }

  /**
   * In the ordered mode, gives each waiter that asked before the reservation began its share, in
   * order. A share of any size is granted at once. What is not granted now is a gap: a later
   * subscriber must not receive it, since that would break the order. Called by the drain loop
   * only.
   */
  void serveShares(SequenceBlock values) {
    BlockCursor block = new BlockCursor(values, 0);
    long counted = 0; // values counted as reserved; a share put back may be granted again
    for (Iterator<Waiter<?>> each = queue.iterator(); each.hasNext() && block.left() > 0; ) {
      Waiter<?> waiter = each.next();
      if (!waiter.isWaiting()) {
        each.remove();
      } else if (waiter.share > 0) {
        long share = Math.min(waiter.share, block.left());
        long from = block.claim(share);
        waiter.share = 0;
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

  /** Lets each subscriber that waits now ask the successor. Called by the drain loop only. */
  void passOn() {
    for (Waiter<?> waiter = queue.poll(); waiter != null; waiter = queue.poll()) {
      if (waiter.moveTo(Waiter.WAITING, Waiter.GRANTED)) { // nothing, so that it asks again
        givePlaceUp(waiter);
        waiter.signal();
      }
    }
  }

  /**
   * Fails each subscriber that waits now. Each gets its own error object where possible, because
   * operators add suppressed errors to it. Called by the drain loop only.
   */
  void fail(Supplier<SequenceException> error) {
    for (int left = queue.size();
        left > 0;
        left--) { // subscribers added meanwhile are behind these
      Waiter<?> waiter = queue.poll();
      if (waiter != null && waiter.startFailing(error)) {
        givePlaceUp(waiter);
        waiter.signal();
      }
    }
  }

  /**
   * Returns the unmet demand, and notes each waiter's part of it as its share of the reservation.
   */
  long noteShares() {
    long sum = 0;
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        long share = waiter.unmet();
        waiter.share = share;
        sum = Operators.addCap(sum, share);
      }
    }
    return sum;
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  /** Fails the subscribers whose timeout has passed. Runs on the scheduler, one run at a time. */
  private void timeOutOverdue() {
    long now = now();
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        if (timeLeft(waiter, now) > 0) {
          return;
        }
        if (waiter.startFailing(generator.acquireTimeout())) {
          if (depart(waiter)) {
            generator.drain();
          }
          config.metrics().record(to -> to.waiterTimedOut(config.sequence()));
          waiter.signal();
        }
      }
    }
  }

  /** How long the first waiter may still wait. */
  private long timeLeft() {
    for (Waiter<?> waiter : queue) {
      if (waiter.isWaiting()) {
        return timeLeft(waiter, now());
      }
    }
    return DeadlineTimer.NONE;
  }

  private long timeLeft(Waiter<?> waiter, long now) {
    return waiter.waitingSince + config.acquireTimeout().toNanos() - now;
  }
}
