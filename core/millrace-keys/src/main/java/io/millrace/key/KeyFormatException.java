package io.millrace.key;

import io.millrace.internal.ShownText;

/**
 * A key function cannot encode a value, or cannot decode one that it never made. The message names
 * the rule that the value breaks and shows the value, shortened if it is long. For a row, it names
 * the part of the key and shows no value.
 */
public final class KeyFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message the rule, and the value that breaks it; {@link #getMessage()} returns it on one
   *     line, with control characters escaped
   */
  public KeyFormatException(String message) {
    super(ShownText.line(message));
  }
}
