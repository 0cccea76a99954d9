package io.millrace;

import io.millrace.internal.ShownText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the failures of a sequence. It has the name of the sequence, and tells whether
 * the same request may succeed later without a change.
 */
public abstract class SequenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The name of the sequence that failed. */
  private final String sequence;

  /**
   * Creates a failure of a sequence.
   *
   * @param sequence the name of the sequence
   * @param message what happened and what to do about it; it may quote the database. {@link
   *     #getMessage()} returns it on one line, with control characters escaped
   * @param cause the cause, or null
   */
  protected SequenceException(String sequence, String message, @Nullable Throwable cause) {
    super(ShownText.line(message), cause);
    this.sequence = Objects.requireNonNull(sequence, "sequence");
  }

  /** The message of a failure, or its {@code toString()} if it has none. */
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
   * Tells whether the failure is permanent: it stays until something is changed. Examples are a
   * missing row, a refused permission and an exhausted range. A generator does not retry such a
   * reservation by itself; a later subscriber starts a new attempt.
   *
   * @return true if a retry alone cannot help
   */
  public boolean isPermanent() {
    return true;
  }
}
