package io.millrace;

import reactor.core.CoreSubscriber;

/** One value for a subscriber of next() that found no buffered value. */
final class NextWaiter extends OneShotSubscription<Long> implements Claim.ValueSink {

  NextWaiter(BufferedSequenceGenerator generator, CoreSubscriber<? super Long> actual) {
    super(generator, actual);
  }

  @Override
  boolean use() {
    if (moveTo(RUNNING, DONE)) {
      issueTo(this);
      actual.onComplete();
    } else {
      giveBackAll();
    }
    return true;
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

  @Override
  boolean mayExceedLimit() {
    return false;
  }
}
