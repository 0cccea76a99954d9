package io.millrace.striped;

import io.millrace.SequenceException;
import io.millrace.internal.ShownText;

/**
 * Thrown when a striped sequence was created with a stride other than the one configured in this
 * process. Nothing was reserved: with two strides, values would be issued twice.
 */
public final class SequenceStrideException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The stride recorded in the store. */
  private final long recorded;

  /** The stride of this process. */
  private final long configured;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param recorded the stride with which the sequence was created
   * @param configured the stride configured in this process
   */
  public SequenceStrideException(String sequence, long recorded, long configured) {
    super(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " was created with stride "
            + recorded
            + ", and this store is configured with "
            + configured
            + "; the stride of a sequence never changes: configure stride("
            + recorded
            + ")",
        null);
    this.recorded = recorded;
    this.configured = configured;
  }

  /** {@return the stride with which the sequence was created} */
  public long recorded() {
    return recorded;
  }

  /** {@return the stride configured in this process} */
  public long configured() {
    return configured;
  }
}
