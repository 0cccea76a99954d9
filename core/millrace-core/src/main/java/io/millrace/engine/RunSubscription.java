package io.millrace.engine;

import io.millrace.SequenceBlock;
import org.reactivestreams.Subscription;

/** The subscription of a {@link RunSubscriber} to a generator, which can take values back. */
interface RunSubscription extends Subscription {

  /** Takes back values that the subscriber took and did not pass on, from any thread. */
  void giveBack(SequenceBlock values);
}
