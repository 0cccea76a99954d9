package io.millrace;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;

/** The store has no counter of that name, or no table for counters. */
public final class SequenceNotFoundException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence
   * @param where where the store looked for the counter, for example {@code table sequences}
   * @param remedy what creates it, for example a statement to run
   * @param cause the database's own error, or null
   */
  public SequenceNotFoundException(
      String sequence, String where, String remedy, @Nullable Throwable cause) {
    super(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " was not found in "
            + where
            + "; create it: "
            + remedy,
        cause);
  }
}
