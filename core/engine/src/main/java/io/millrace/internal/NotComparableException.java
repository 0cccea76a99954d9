package io.millrace.internal;

/**
 * The answer to a write was lost, and the rows that were read back do not show whether it was
 * applied.
 */
public final class NotComparableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param message why the rows do not show it; without values of rows
   */
  public NotComparableException(String message) {
    super(message, null, false, false);
  }
}
