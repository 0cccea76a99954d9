package io.millrace.engine;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * One value for one subscriber. A buffered value costs one atomic add and one compare-and-set, and
 * no object but this one. If none is buffered, a {@link Waiting} takes over.
 *
 * <p><b>Invariant.</b> {@link #stage} leaves null once. It becomes {@link #ENDED}, and the thread
 * that set it has a value to signal or has cancelled; or it becomes the waiter that takes over. The
 * value of a second, concurrent claim is given back. Requests may be concurrent, since operators
 * that change their upstream may request from two threads.
 */
final class NextSubscription implements Subscription, Scannable {

  private static final AtomicReferenceFieldUpdater<NextSubscription, @Nullable Object> STAGE =
      AtomicReferenceFieldUpdater.newUpdater(NextSubscription.class, Object.class, "stage");

  private static final Object ENDED = new Object();

  private final BufferedSequenceGenerator generator;
  private final CoreSubscriber<? super Long> actual;

  /** Null, {@link #ENDED} or the {@link Waiting} that has taken over. */
  private volatile @Nullable Object stage;

  NextSubscription(BufferedSequenceGenerator generator, CoreSubscriber<? super Long> actual) {
    this.generator = generator;
    this.actual = actual;
  }

  @Override
  public void request(long n) {
    if (!Operators.validate(n) || stage != null) {
      return;
    }
    BlockCursor block = generator.currentBlock();
    long index = generator.claimOne(block);
    if (index < 0) {
      handOver();
    } else if (STAGE.compareAndSet(this, null, ENDED)) {
      actual.onNext(block.valueAt(index));
      actual.onComplete();
    } else {
      generator.giveBack(block, index);
    }
  }

  private void handOver() {
    Waiting waiting = new Waiting(generator, actual);
    if (STAGE.compareAndSet(this, null, waiting)) {
      waiting.proceed();
    }
  }

  @Override
  public void cancel() {
    if (!STAGE.compareAndSet(this, null, ENDED) && stage instanceof Waiting waiting) {
      waiting.cancel();
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    Object now = stage;
    return now instanceof Waiting waiting
        ? waiting.scanUnsafe(key)
        : Waiter.scan(key, generator, actual, 0, now != null);
  }

  /** Waits for the value. */
  private static final class Waiting extends Waiter<Long> implements Claim.ValueSink {

    Waiting(BufferedSequenceGenerator generator, CoreSubscriber<? super Long> actual) {
      super(generator, actual, RUNNING);
    }

    @Override
    void deliver() {
      if (moveTo(GRANTED, RUNNING)) {
        proceed();
      }
    }

    void proceed() {
      if (isHolding() || claimOrWait(1)) {
        if (moveTo(RUNNING, DONE)) {
          issueTo(this);
          actual.onComplete();
        } else {
          giveBackAll();
        }
      }
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void accept(long value) {
      actual.onNext(value);
    }

    @Override
    long unmet() {
      return 1;
    }
  }
}
