package io.millrace.key;

import io.millrace.internal.LogSafe;

/**
 * Thrown when a key function cannot encode a value, or cannot decode one that it never returns. The
 * message has the rule that the value violates, and the value, shortened if it is long. For a row,
 * it names the part of the key and omits the value.
 */
public final class KeyFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message the rule, and the value that violates it; {@link #getMessage()} returns it as a
   *     single line, with control characters escaped
   */
  public KeyFormatException(String message) {
    super(LogSafe.line(message));
  }
}
