package io.millrace.engine;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * One value for one subscriber. A buffered value costs one atomic add and one compare-and-set, and
 * no object but this one. If none is buffered, another subscription takes over and waits.
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

  /** Null, {@link #ENDED} or the {@link Subscription} that waits in place of this. */
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
    Subscription waiter = new OneShotSubscription.Single(generator, actual);
    if (STAGE.compareAndSet(this, null, waiter)) {
      waiter.request(1);
    }
  }

  @Override
  public void cancel() {
    if (!STAGE.compareAndSet(this, null, ENDED) && stage instanceof Subscription waiter) {
      waiter.cancel();
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    Object now = stage;
    return now instanceof Scannable waiter
        ? waiter.scanUnsafe(key)
        : Waiter.scan(key, generator, actual, 0, now != null);
  }
}
