package io.millrace;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;

/**
 * The store refused a request permanently (permission, an invalid statement), or its answer broke
 * the contract (no block, a block of another size). A block that breaks the contract is never
 * issued.
 */
public final class SequenceStoreException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param message what the store did and what to do about it
   * @param cause the database's own error, or null
   */
  public SequenceStoreException(String sequence, String message, @Nullable Throwable cause) {
    super(sequence, "the store of sequence " + ShownText.quote(sequence) + " " + message, cause);
  }
}
