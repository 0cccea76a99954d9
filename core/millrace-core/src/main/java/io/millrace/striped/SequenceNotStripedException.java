package io.millrace.striped;

import io.millrace.SequenceException;
import io.millrace.internal.ShownText;

/**
 * A striped store was to create a sequence that exists as a plain one. The plain sequence goes on:
 * it becomes a striped one only with {@link StripedSequenceStore#stripe}. If it was created while
 * the striped one was, the start value of the stripes may be recorded already. {@code stripe} moves
 * it to the plain counter.
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
            + ": stripe(name) on the striped store ends the plain sequence for good and goes on from"
            + " there;"
            + " processes that still use the plain sequence then fail",
        null);
    this.nextValue = nextValue;
  }

  /**
   * Returns the next value of the plain sequence.
   *
   * @return the counter when it was read
   */
  public long nextValue() {
    return nextValue;
  }
}
