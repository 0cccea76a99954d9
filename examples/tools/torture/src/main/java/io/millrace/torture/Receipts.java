package io.millrace.torture;

/** Takes note of what subscriptions receive. Thread-safe. */
interface Receipts {

  /** Opens a subscription, and returns its number. */
  long subscription();

  /** Notes a value that a subscription received. */
  void received(long subscription, long value);
}
