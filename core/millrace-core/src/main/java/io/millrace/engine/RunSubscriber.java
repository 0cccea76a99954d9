package io.millrace.engine;

import reactor.core.CoreSubscriber;

/**
 * An internal subscriber to {@code values()} that receives consecutive values in one call, without
 * an object for each. Its subscription is a {@link RunSubscription}.
 */
interface RunSubscriber extends CoreSubscriber<Long> {

  /**
   * Receives the values from {@code first} on, at most as many as it has requested. Must not throw:
   * the caller could not know how many values were taken.
   *
   * @return how many it took; fewer than {@code count} cancel the subscription
   */
  long onRun(long first, long count);
}
