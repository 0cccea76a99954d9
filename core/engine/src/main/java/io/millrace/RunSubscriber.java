package io.millrace;

import reactor.core.CoreSubscriber;

/**
 * A subscriber of the library's own to {@code values()}, which takes consecutive values in one call
 * and no object for each. Its subscription is a {@link RunSubscription}.
 */
interface RunSubscriber extends CoreSubscriber<Long> {

  /**
   * Takes the values from {@code first} on, at most as many as it has requested. Throws nothing:
   * what was taken would not be known.
   *
   * @return how many it took; fewer than {@code count} end the subscription, as a cancel does
   */
  long onRun(long first, long count);
}
