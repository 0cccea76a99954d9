package io.millrace.engine;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * Passes one subscriber as many values as it requests. They are claimed one chunk at a time.
 *
 * <p>Requests and deliveries enter a work-in-progress loop. While the subscription is queued, the
 * loop only counts the demand that a request has added, which the next grant reads.
 */
final class ValuesSubscription extends Waiter<Long> implements Subscription, Claim.ValueSink {

  private static final AtomicLongFieldUpdater<ValuesSubscription> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(ValuesSubscription.class, "requested");

  private static final AtomicIntegerFieldUpdater<ValuesSubscription> WORK =
      AtomicIntegerFieldUpdater.newUpdater(ValuesSubscription.class, "work");

  private static final AtomicLongFieldUpdater<ValuesSubscription> COUNTED =
      AtomicLongFieldUpdater.newUpdater(ValuesSubscription.class, "counted");

  /** The values requested and not yet emitted. Raised by requests, lowered by the loop. */
  private volatile long requested;

  /**
   * What the queue counts as unmet; 0 while this has no place in it. Set and raised by the loop,
   * taken by the thread that gives the place up.
   */
  private volatile long counted;

  /** Above 0 while a thread runs the loop. */
  private volatile int work;

  ValuesSubscription(BufferedSequenceGenerator generator, CoreSubscriber<? super Long> actual) {
    super(generator, actual, RUNNING);
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      loop(generator.deliverOn() == null);
    }
  }

  @Override
  void deliver() {
    loop(true);
  }

  /**
   * Runs the loop, or leaves it to the thread that runs it now.
   *
   * @param mayDeliver whether values that had to wait may be emitted by this thread. If the
   *     delivery found the loop taken by a thread that may not deliver, that thread leaves the loop
   *     and starts the delivery again.
   */
  private void loop(boolean mayDeliver) {
    if (WORK.getAndIncrement(this) != 0) {
      return;
    }
    boolean handOver = false;
    int missed = 1;
    try {
      do {
        if (phase() == RUNNING || (mayDeliver && moveTo(GRANTED, RUNNING))) {
          proceed();
        } else {
          handOver |= phase() == GRANTED;
          raiseDemand();
        }
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
    } catch (Throwable thrown) {
      endAfterThrow();
      throw thrown;
    }
    if (handOver) {
      signal();
    }
  }

  /** Counts what was requested since the wait began, unless the wait has ended. */
  private void raiseDemand() {
    long before = counted;
    long now = requested;
    if (before != 0 && now > before && COUNTED.compareAndSet(this, before, now)) {
      generator.waiters.raiseDemand(before, now);
    }
  }

  @Override
  long startCounting() {
    long demand = requested;
    counted = demand;
    return demand;
  }

  @Override
  long stopCounting() {
    return COUNTED.getAndSet(this, 0);
  }

  /**
   * Cancels the subscription, because the subscriber threw (Reactive Streams rule 2.13). Called by
   * the loop.
   */
  private void endAfterThrow() {
    try {
      cancel();
      giveBackAll();
    } finally {
      work = 0;
    }
  }

  /** Emits what is claimed, and claims more until nothing is requested or it has to wait. */
  private void proceed() {
    for (; ; ) {
      emit();
      if (phase() == DONE) {
        giveBackAll();
        return;
      }
      long wanted = requested;
      if (wanted == 0) {
        return;
      }
      if (!claimOrWait(Math.min(wanted, BufferedSequenceGenerator.CHUNK))) {
        return;
      }
    }
  }

  private void emit() {
    long emitted = issueTo(this);
    if (emitted > 0) {
      Operators.produced(REQUESTED, this, emitted);
    }
  }

  @Override
  public boolean isOpen() {
    return phase() != DONE;
  }

  @Override
  public void accept(long value) {
    actual.onNext(value);
  }

  @Override
  long unmet() {
    return requested;
  }
}
