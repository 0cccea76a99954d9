package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * A subscription that signals its subscriber once. The first request starts it; later requests are
 * ignored. So its loop never runs on two threads.
 */
abstract class OneShotSubscription<T> extends Waiter<T> implements Subscription, Claim.ValueSink {

  private OneShotSubscription(
      BufferedSequenceGenerator generator, CoreSubscriber<? super T> actual) {
    super(generator, actual, NEW);
  }

  @Override
  public final void request(long n) {
    if (Operators.validate(n) && moveTo(NEW, RUNNING)) {
      proceed();
    }
  }

  @Override
  final void deliver() {
    if (moveTo(GRANTED, RUNNING)) {
      proceed();
    }
  }

  private void proceed() {
    while (isHolding() || claimOrWait(unmet())) {
      if (use()) {
        return;
      }
    }
  }

  /**
   * Uses the claimed values, at least one. The phase is RUNNING. Returns true once the subscription
   * has ended.
   */
  abstract boolean use();

  @Override
  public final boolean isOpen() {
    return true;
  }

  /** Waits for one value and gives it back, so that the buffer is filled. */
  static final class Warmup extends OneShotSubscription<Void> {

    Warmup(BufferedSequenceGenerator generator, CoreSubscriber<? super Void> actual) {
      super(generator, actual);
    }

    @Override
    boolean use() {
      boolean open = moveTo(RUNNING, DONE);
      giveBackAll();
      if (open) {
        actual.onComplete();
      }
      return true;
    }

    @Override
    public void accept(long value) {
      throw new IllegalStateException("a warmup issues no value");
    }

    @Override
    long unmet() {
      return 1;
    }

    /** It keeps no value. With a limit of no waiters, only a warmup can fill the buffer. */
    @Override
    boolean mayExceedLimit() {
      return true;
    }
  }

  /** Several values at once, collected from as many claims as needed. */
  static final class Several extends OneShotSubscription<List<Long>> {

    private static final int LARGEST_INITIAL_CAPACITY = 1_024;

    private final int count;

    /** What was collected so far. Used by the thread that owns the claim. */
    private final List<Long> collected;

    /**
     * The size of {@link #collected}. Written by the thread that owns the claim; read by any
     * thread.
     */
    private volatile int size;

    Several(
        BufferedSequenceGenerator generator, CoreSubscriber<? super List<Long>> actual, int count) {
      super(generator, actual);
      this.count = count;
      this.collected = new ArrayList<>(Math.min(count, LARGEST_INITIAL_CAPACITY));
    }

    @Override
    boolean use() {
      issueTo(this);
      size = collected.size();
      if (size < count) {
        return false;
      }
      if (moveTo(RUNNING, DONE)) {
        actual.onNext(Collections.unmodifiableList(collected));
        actual.onComplete();
      } else {
        giveBackAll();
      }
      return true;
    }

    @Override
    void giveBackAll() {
      if (!collected.isEmpty()) {
        long[] values = collected.stream().mapToLong(Long::longValue).toArray();
        collected.clear();
        generator.giveBack(SequenceBlock.ofValues(values));
      }
      super.giveBackAll();
    }

    @Override
    public void accept(long value) {
      collected.add(value);
    }

    @Override
    long unmet() {
      return (long) count - size;
    }
  }
}
