package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * Also passes on runs of values. The lease lasts until the subscriber calls {@link #end}, because
 * it may still hold values, and give them back, after it cancels or receives a terminal signal.
 */
final class LeasedRunSubscriber extends LeasedSubscriber<Long>
    implements RunSubscriber, RunSubscription {

  private final RunSubscriber actual;

  LeasedRunSubscriber(RunSubscriber actual, LiveGenerator lease, @Nullable Seek<?> seek) {
    super(actual, lease, false, seek);
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
    if (source instanceof RunSubscription runs) {
      runs.giveBack(values);
    }
  }

  @Override
  public void end() {
    endLease();
  }
}
