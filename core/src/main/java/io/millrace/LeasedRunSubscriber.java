package io.millrace;

import org.jspecify.annotations.Nullable;

/** Passes on runs of values, too. */
final class LeasedRunSubscriber extends LeasedSubscriber<Long> implements RunSubscriber {

  private final RunSubscriber actual;

  LeasedRunSubscriber(RunSubscriber actual, LiveGenerator lease, @Nullable Seek<?> sought) {
    super(actual, lease, false, sought);
    this.actual = actual;
  }

  @Override
  public long onRun(long first, long count) {
    return actual.onRun(first, count);
  }
}
