package io.millrace.striped;

import io.millrace.SequenceException;
import io.millrace.internal.ShownText;

/**
 * Thrown when a striped store is to create a sequence that exists as a plain one. The plain
 * sequence is unchanged; {@link StripedSequenceStore#stripe} converts it. If both were being
 * created at the same time, the start value of the stripes may already be recorded; {@code stripe}
 * then moves it to the plain counter.
 */
public final class SequenceNotStripedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The next value of the plain sequence. */
  private final long nextValue;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param nextValue the next value of the plain sequence
   */
  public SequenceNotStripedException(String sequence, long nextValue) {
    super(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " is a plain one, and its next value is "
            + nextValue
            + ": stripe(name) on the striped store exhausts the plain sequence and continues from"
            + " there;"
            + " processes that still use the plain sequence then fail",
        null);
    this.nextValue = nextValue;
  }

  /** {@return the next value of the plain sequence when it was read} */
  public long nextValue() {
    return nextValue;
  }
}
