package io.millrace;

import reactor.core.CoreSubscriber;

/** Waits for a value as {@link NextWaiter} does, and gives it back. Then the buffer is filled. */
final class WarmupSubscription extends OneShotSubscription<Void> {

  WarmupSubscription(BufferedSequenceGenerator generator, CoreSubscriber<? super Void> actual) {
    super(generator, actual);
  }

  @Override
  boolean use() {
    boolean open = moveTo(RUNNING, DONE);
    giveBackAll();
    if (open) {
      actual.onComplete();
    }
    return true;
  }

  @Override
  long unmet() {
    return 1;
  }

  /** It keeps no value. With a limit of no waiters, only a warmup can fill the buffer. */
  @Override
  boolean mayExceedLimit() {
    return true;
  }
}
