package io.millrace;

import io.millrace.internal.LogSafe;

/**
 * Thrown when the counter of an ordered store moved back, as after a restore from a backup: the
 * store returned values that this generator had already received. None of the block is issued.
 */
public final class SequenceRegressionException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The largest value reserved before. */
  private final long highest;

  /** The value that the store returned. */
  private final long offered;

  /**
   * Creates the failure.
   *
   * @param highest the largest value reserved before
   * @param offered the value that the store returned
   */
  public SequenceRegressionException(String sequence, long highest, long offered) {
    super(
        sequence,
        "the counter of sequence "
            + LogSafe.quote(sequence)
            + " moved back: expected more than "
            + highest
            + ", got "
            + offered
            + "; move the counter past every value in use, and the generator resumes",
        null);
    this.highest = highest;
    this.offered = offered;
  }

  /** {@return the largest value reserved before} */
  public long highest() {
    return highest;
  }

  /** {@return the value that the store returned} */
  public long offered() {
    return offered;
  }
}
