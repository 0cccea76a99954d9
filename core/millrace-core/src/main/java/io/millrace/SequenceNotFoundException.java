package io.millrace;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/** Thrown when the store has no counter of that name, or no table of counters. */
public final class SequenceNotFoundException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param where where the store looked for the counter, for example {@code table sequences}
   * @param remedy how to create it, for example a statement
   * @param cause the database's own error, or null
   */
  public SequenceNotFoundException(
      String sequence, String where, String remedy, @Nullable Throwable cause) {
    super(
        sequence,
        "sequence "
            + LogSafe.quote(sequence)
            + " was not found in "
            + where
            + "; create it: "
            + remedy,
        cause);
  }
}
