package io.millrace;

import reactor.core.CoreSubscriber;

/** Waits for a value, as {@link NextWaiter} does, and gives it back. The buffer is then filled. */
final class WarmupSubscription extends OneShotSubscription<Void> {

  WarmupSubscription(BufferedSequenceGenerator generator, CoreSubscriber<? super Void> actual) {
    super(generator, actual);
  }

  @Override
  void proceed() {
    boolean open = moveTo(RUNNING, DONE);
    giveBackAll();
    if (open) {
      actual.onComplete();
    }
  }

  @Override
  long unmet() {
    return 1;
  }

  /**
   * True: it takes no value from other subscribers. If the limit allows no waiter at all, only a
   * warm-up can fill the buffer.
   */
  @Override
  boolean mayExceedLimit() {
    return true;
  }
}
