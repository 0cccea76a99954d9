package io.millrace.engine;

import reactor.core.publisher.BaseSubscriber;

/** A subscriber that waits for three values, and does nothing by itself. */
final class StandIn extends Waiter<Long> {

  StandIn(BufferedSequenceGenerator generator) {
    super(generator, new Ignoring(), WAITING);
  }

  @Override
  long unmet() {
    return 3;
  }

  @Override
  void deliver() {}

  @Override
  boolean mayExceedLimit() {
    return false;
  }

  private static final class Ignoring extends BaseSubscriber<Long> {

    @Override
    protected void hookOnError(Throwable failure) {}
  }
}
