package io.millrace;

import org.reactivestreams.Subscription;

/**
 * What a {@link RunSubscriber} has to a generator: it can give back what it took. A lease on the
 * generator lasts until {@link #end}, whatever else ends before.
 */
interface RunSubscription extends Subscription {

  /** Takes back values that the subscriber took and that reached nobody, from any thread. */
  void giveBack(SequenceBlock values);

  /**
   * Ends all use of the generator. Called by the subscriber, after it cancelled or was told of an
   * end, once it has given back what it will.
   */
  void end();
}
