package io.millrace.key;

/**
 * A value that a key function cannot encode, or a key value that it never made. The message names
 * the limit that it breaks, and what was given to be encoded or decoded, cut where it is long; of a
 * row it names the part of the key, and no value.
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
