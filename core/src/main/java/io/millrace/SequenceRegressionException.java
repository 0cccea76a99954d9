package io.millrace;

/**
 * The counter of an ordered store moved back: the store offered values that this generator was
 * given before, as after a restore from a backup. The block is refused and none of it is issued.
 */
public final class SequenceRegressionException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The smallest value that would not have been seen before. */
  private final long expectedAtLeast;

  /** The value the store offered. */
  private final long offered;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param expectedAtLeast the smallest value that would not have been seen before
   * @param offered the value the store offered
   */
  public SequenceRegressionException(String sequence, long expectedAtLeast, long offered) {
    super(
        sequence,
        "the counter of sequence '"
            + sequence
            + "' moved back: expected at least "
            + expectedAtLeast
            + ", was offered "
            + offered
            + "; move the counter past every value in use, then values flow again",
        null);
    this.expectedAtLeast = expectedAtLeast;
    this.offered = offered;
  }

  /**
   * Returns the smallest value that would not have been seen before.
   *
   * @return one more than the largest value reserved so far
   */
  public long expectedAtLeast() {
    return expectedAtLeast;
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
