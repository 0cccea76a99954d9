package io.millrace.striped;

import io.millrace.SequenceException;
import io.millrace.internal.ShownText;

/**
 * A striped sequence was created with another stride than the one configured in this process.
 * Nothing was reserved: with two strides, values would be issued twice.
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
   * @param recorded the stride the sequence was created with
   * @param configured the stride this process is configured with
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

  /**
   * Returns the stride the sequence was created with.
   *
   * @return the number its store has recorded
   */
  public long recorded() {
    return recorded;
  }

  /**
   * Returns the stride this process is configured with.
   *
   * @return the number given to the builder
   */
  public long configured() {
    return configured;
  }
}
