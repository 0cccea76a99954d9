package io.millrace;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * A subscription that signals its subscriber once. The first request starts it, later ones mean
 * nothing, so that its loop never runs on two threads.
 *
 * @param <T> what the subscriber is given
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

  /** Goes on with the values claimed, of which there is one at least. The phase is RUNNING. */
  abstract void proceed();
}
