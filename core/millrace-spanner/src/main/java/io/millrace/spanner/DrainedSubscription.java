package io.millrace.spanner;

import io.millrace.internal.GuardedCall;
import io.millrace.internal.SerialDrain;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * One subscriber, its demand, and the drain loop that serves it. Every signal is recorded in a
 * field, and then calls {@link #drain}.
 *
 * @param <T> what the subscriber gets
 */
abstract class DrainedSubscription<T> extends SerialDrain implements Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<DrainedSubscription> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(DrainedSubscription.class, "requested");

  final CoreSubscriber<? super T> actual;

  /** Increased by any thread, decreased by the drain loop. */
  private volatile long requested;

  /**
   * Set by a thread that cancels, or by the drain loop when the subscriber has thrown; never reset.
   */
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

  /** Stops at once the work that is no longer needed. Runs on the thread that cancels. */
  void onCancel() {}

  @Override
  protected final void drainOnce() {
    GuardedCall.run(this::pass, this::endWith);
  }

  /** Does the work that is due. One thread at a time is in here. */
  abstract void pass();

  /** Ends the stream with the error that a pass has thrown. Throws nothing. */
  abstract void endWith(Throwable thrown);

  /** Reports an error that the subscriber cannot receive any more. Throws nothing. */
  final void drop(Throwable late) {
    GuardedCall.drop(late, actual::currentContext);
  }

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
