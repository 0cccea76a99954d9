package io.millrace.spanner;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * One subscriber, its demand, and the loop that serves it. Every signal is noted in a field and
 * calls {@link #drain}. One thread at a time runs the loop, and runs it again for signals that came
 * in the meantime.
 *
 * @param <T> what the subscriber gets
 */
abstract class DrainedSubscription<T> implements Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<DrainedSubscription> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(DrainedSubscription.class, "requested");

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<DrainedSubscription> WIP =
      AtomicIntegerFieldUpdater.newUpdater(DrainedSubscription.class, "wip");

  final CoreSubscriber<? super T> actual;

  /** Added to by any thread, taken from by the drain. */
  private volatile long requested;

  /** Counts the calls of {@link #drain} that the running loop has not handled yet. */
  @SuppressWarnings("UnusedVariable") // through WIP
  private volatile int wip;

  /** Set by any thread, once; by the drain, when the subscriber has thrown. */
  volatile boolean cancelled;

  DrainedSubscription(CoreSubscriber<? super T> actual) {
    this.actual = actual;
  }

  @Override
  public final void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  @Override
  public final void cancel() {
    cancelled = true;
    onCancel();
    drain();
  }

  /** Stops the work that a cancel makes unnecessary; on the thread of the cancel. */
  void onCancel() {}

  final void drain() {
    if (WIP.getAndIncrement(this) != 0) {
      return;
    }
    int missed = 1;
    do {
      try {
        pass();
      } catch (Throwable thrown) {
        endWith(thrown);
      }
      missed = WIP.addAndGet(this, -missed);
    } while (missed != 0);
  }

  /** Does what there is to do, one thread at a time. */
  abstract void pass();

  /** Ends the stream with the error that a pass threw; throws nothing. */
  abstract void endWith(Throwable thrown);

  /** How many elements may still be emitted. */
  final long requested() {
    return requested;
  }

  /** Lowers the demand; drain loop only. */
  final void produced(long emitted) {
    Operators.produced(REQUESTED, this, emitted);
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
      return requested;
    }
    if (key == Attr.CANCELLED) {
      return cancelled;
    }
    return null;
  }
}
