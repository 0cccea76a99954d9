package io.millrace;

import org.reactivestreams.Subscription;

/**
 * The subscription of a {@link RunSubscriber} to a generator, which can take values back. A lease
 * on the generator lasts until {@link #end}, even if the stream ends before.
 */
interface RunSubscription extends Subscription {

  /** Takes back values that the subscriber took and did not pass on, from any thread. */
  void giveBack(SequenceBlock values);

  /**
   * Ends all use of the generator. The subscriber calls it after a cancel or a terminal signal,
   * when it has given back all that it will.
   */
  void end();
}
