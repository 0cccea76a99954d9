package io.millrace;

import io.millrace.internal.ShownText;

/**
 * The counter of an ordered store moved back, as after a restore from a backup: the store offered
 * values that this generator had already received. The block is refused, and none of it is issued.
 */
public final class SequenceRegressionException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The largest value reserved before. */
  private final long highest;

  /** The value the store offered. */
  private final long offered;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param highest the largest value reserved before
   * @param offered the value the store offered
   */
  public SequenceRegressionException(String sequence, long highest, long offered) {
    super(
        sequence,
        "the counter of sequence "
            + ShownText.quote(sequence)
            + " moved back: expected more than "
            + highest
            + ", was offered "
            + offered
            + "; move the counter past every value in use, then values flow again",
        null);
    this.highest = highest;
    this.offered = offered;
  }

  /**
   * Returns the largest value reserved before.
   *
   * @return the value that all later values have to exceed
   */
  public long highest() {
    return highest;
  }

  /**
   * Returns the value the store offered.
   *
   * @return the value that shows the regression
   */
  public long offered() {
    return offered;
  }
}
