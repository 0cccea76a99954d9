package io.millrace.torture;

import java.nio.file.Path;

/**
 * The values that the subscriptions of one lane received: a negative number for a subscription,
 * then its values, which are positive. A cancelled subscription may still receive a value while the
 * next one receives values.
 */
final class ValueTape implements Receipts {

  private final Tape tape;
  private long subscriptions;
  private long latest;

  ValueTape(Path file) {
    this.tape = new Tape(file);
  }

  @Override
  public synchronized long subscription() {
    return ++subscriptions;
  }

  @Override
  public synchronized void received(long subscription, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException("a value must be positive, was " + value);
    }
    if (subscription != latest) {
      tape.append(-subscription);
      latest = subscription;
    }
    tape.append(value);
  }
}
