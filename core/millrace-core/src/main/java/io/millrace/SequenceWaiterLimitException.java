package io.millrace;

import io.millrace.internal.LogSafe;

/** Thrown when a subscriber would have to wait for a reservation and the line is full. */
public final class SequenceWaiterLimitException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** How many subscribers may wait. */
  private final int maxWaiters;

  /**
   * Creates the failure.
   *
   * @param maxWaiters how many subscribers may wait
   */
  public SequenceWaiterLimitException(String sequence, int maxWaiters) {
    super(
        sequence,
        "sequence "
            + LogSafe.quote(sequence)
            + " has no buffered value, and maxWaiters "
            + maxWaiters
            + " subscribers are already waiting; raise maxWaiters, blockSize or lowWatermark,"
            + " or slow the callers down",
        null);
    this.maxWaiters = maxWaiters;
  }

  /** {@return how many subscribers may wait} */
  public int maxWaiters() {
    return maxWaiters;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
