package io.millrace;

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
      if (generator.claim(this, unmet())) {
        proceed();
      } else {
        generator.enqueue(this);
      }
    }
  }

  @Override
  final void deliver() {
    if (moveTo(GRANTED, RUNNING)) {
      proceed();
    }
  }

  /** Uses the claimed values, at least one. The phase is RUNNING. */
  abstract void proceed();
}
