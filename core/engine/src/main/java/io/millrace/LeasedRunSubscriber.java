package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * Passes on runs of values, too. The lease lasts until the subscriber says that it gives nothing
 * back any more: it may hold values when it cancels, or is told of an end.
 */
final class LeasedRunSubscriber extends LeasedSubscriber<Long>
    implements RunSubscriber, RunSubscription {

  private final RunSubscriber actual;

  LeasedRunSubscriber(RunSubscriber actual, LiveGenerator lease, @Nullable Seek<?> sought) {
    super(actual, lease, false, sought);
    this.actual = actual;
  }

  @Override
  public long onRun(long first, long count) {
    return actual.onRun(first, count);
  }

  @Override
  public void onError(Throwable failure) {
    actual.onError(failure);
  }

  @Override
  public void onComplete() {
    actual.onComplete();
  }

  @Override
  public void cancel() {
    source.cancel();
  }

  @Override
  public void giveBack(SequenceBlock values) {
    if (source instanceof RunSubscription own) {
      own.giveBack(values);
    }
  }

  @Override
  public void end() {
    release();
  }
}
