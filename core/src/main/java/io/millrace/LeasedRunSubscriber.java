package io.millrace;

/** Passes on runs of values, too. */
final class LeasedRunSubscriber extends LeasedSubscriber<Long> implements RunSubscriber {

  private final RunSubscriber actual;

  LeasedRunSubscriber(RunSubscriber actual, LiveGenerator lease) {
    super(actual, lease, false);
    this.actual = actual;
  }

  @Override
  public long onRun(long first, long count) {
    return actual.onRun(first, count);
  }
}
