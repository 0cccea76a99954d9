package io.millrace;

import io.millrace.internal.LogSafe;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the failures of a sequence. It names the sequence, and distinguishes
 * {@linkplain #isPermanent() permanent} failures from those that a retry may resolve.
 */
public abstract class SequenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The name of the sequence that failed. */
  private final String sequence;

  /**
   * Creates a failure of a sequence.
   *
   * @param message what happened and what to do about it; it may quote the database. {@link
   *     #getMessage()} returns it as a single line, with control characters escaped
   * @param cause the cause, or null
   */
  protected SequenceException(String sequence, String message, @Nullable Throwable cause) {
    super(LogSafe.line(message), cause);
    this.sequence = Objects.requireNonNull(sequence, "sequence");
  }

  /** The message of a failure, or its {@code toString()} if it has none. */
  static String reason(Throwable failure) {
    return Objects.requireNonNullElseGet(failure.getMessage(), failure::toString);
  }

  /** {@return the name of the sequence, as passed to the builder or to the store} */
  public final String sequence() {
    return sequence;
  }

  /**
   * Returns whether the failure is permanent: it persists until something is changed. Examples are
   * a missing row, a denied permission and an exhausted range. A generator does not retry such a
   * reservation; a later subscriber starts a new attempt.
   *
   * @return true if a retry alone cannot succeed
   */
  public boolean isPermanent() {
    return true;
  }
}
