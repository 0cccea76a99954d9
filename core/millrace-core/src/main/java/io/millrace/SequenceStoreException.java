package io.millrace;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store rejects a request permanently (a permission, an invalid statement), or its
 * answer violates the contract (no block, a block of another size). Such a block is never issued.
 */
public final class SequenceStoreException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message what the store did and what to do about it
   * @param cause the database's own error, or null
   */
  public SequenceStoreException(String sequence, String message, @Nullable Throwable cause) {
    super(sequence, "the store of sequence " + LogSafe.quote(sequence) + " " + message, cause);
  }
}
