package io.millrace.engine;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * A subscription that signals its subscriber once. The first request starts it; later requests are
 * ignored. So its loop never runs on two threads.
 *
 * @param <T> what the subscriber receives
 */
abstract class OneShotSubscription<T> extends Waiter<T> {

  OneShotSubscription(BufferedSequenceGenerator generator, CoreSubscriber<? super T> actual) {
    super(generator, actual, NEW);
  }

  @Override
  public final void request(long n) {
    if (Operators.validate(n) && moveTo(NEW, RUNNING)) {
      proceed();
    }
  }

  @Override
  final void deliver() {
    if (moveTo(GRANTED, RUNNING)) {
      proceed();
    }
  }

  private void proceed() {
    while (isHolding() || claimOrWait(unmet())) {
      if (use()) {
        return;
      }
    }
  }

  /**
   * Uses the claimed values, at least one. The phase is RUNNING. Returns true once the subscription
   * has ended.
   */
  abstract boolean use();
}
