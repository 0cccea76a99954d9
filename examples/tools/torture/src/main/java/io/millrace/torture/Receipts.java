package io.millrace.torture;

/** Records the values that subscriptions receive. Thread-safe. */
interface Receipts {

  /** Opens a subscription, and returns its number. */
  long subscription();

  /** Records a value that a subscription received. */
  void received(long subscription, long value);
}
