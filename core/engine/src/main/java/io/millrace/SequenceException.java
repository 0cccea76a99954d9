package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What every failure of a sequence has in common: the name of the sequence, and whether the same
 * request can succeed later without anybody changing anything.
 */
public abstract class SequenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The name of the sequence that failed. */
  private final String sequence;

  /**
   * Creates a failure of a sequence.
   *
   * @param sequence the name of the sequence
   * @param message what happened and what to do about it
   * @param cause what it follows from, or null
   */
  protected SequenceException(String sequence, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.sequence = Objects.requireNonNull(sequence, "sequence");
  }

  /** What a failure says of itself; its class if it says nothing. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message != null ? message : failure.toString();
  }

  /**
   * Returns the name of the sequence that failed.
   *
   * @return the name given to the builder or to the store
   */
  public final String sequence() {
    return sequence;
  }

  /**
   * Tells whether the failure stays until somebody changes something: a missing row, a refused
   * permission, an exhausted range. A generator does not retry such a reservation by itself; a
   * later subscriber tries again.
   *
   * @return true if a retry alone cannot help
   */
  public boolean isPermanent() {
    return true;
  }
}
