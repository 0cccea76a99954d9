package io.millrace;

import org.reactivestreams.Subscription;

/**
 * The subscription of a {@link RunSubscriber}, which can give back values that it took. A lease on
 * the generator lasts until {@link #end}, even if the stream of values ends before.
 */
interface RunSubscription extends Subscription {

  /** Takes back values that the subscriber took and did not pass on. For any thread. */
  void giveBack(SequenceBlock values);

  /**
   * Ends all use of the generator. The subscriber calls it after a cancel or a terminal signal, and
   * gives no more values back.
   */
  void end();
}
