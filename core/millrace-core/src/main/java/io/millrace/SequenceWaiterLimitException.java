package io.millrace;

import io.millrace.internal.ShownText;

/** A subscriber would have to wait for a reservation, and the line is full. */
public final class SequenceWaiterLimitException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** How many subscribers may wait. */
  private final int maxWaiters;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param maxWaiters how many subscribers may wait
   */
  public SequenceWaiterLimitException(String sequence, int maxWaiters) {
    super(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " has no value buffered and its maxWaiters "
            + maxWaiters
            + " subscribers wait already; raise maxWaiters, batchSize or lowWatermark,"
            + " or slow the callers down",
        null);
    this.maxWaiters = maxWaiters;
  }

  /**
   * Returns how many subscribers may wait.
   *
   * @return the limit that was hit
   */
  public int maxWaiters() {
    return maxWaiters;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
