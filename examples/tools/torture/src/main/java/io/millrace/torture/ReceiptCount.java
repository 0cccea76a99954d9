package io.millrace.torture;

import java.util.concurrent.atomic.LongAdder;

/** Counts what subscriptions receive, in a memory that does not grow. */
final class ReceiptCount implements Receipts {

  private final LongAdder subscriptions = new LongAdder();
  private final LongAdder values = new LongAdder();

  @Override
  public long subscription() {
    subscriptions.increment();
    return subscriptions.sum();
  }

  @Override
  public void received(long subscription, long value) {
    values.increment();
  }

  long subscriptions() {
    return subscriptions.sum();
  }

  long values() {
    return values.sum();
  }
}
