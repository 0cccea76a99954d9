package io.millrace.key;

/**
 * A value that a key function cannot encode, or a key value that it never made. The message names
 * the value and the limit that it breaks.
 */
public final class KeyFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message the rule, and the value that breaks it
   */
  public KeyFormatException(String message) {
    super(message);
  }
}
