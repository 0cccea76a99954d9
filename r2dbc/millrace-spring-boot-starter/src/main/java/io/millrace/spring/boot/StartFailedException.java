package io.millrace.spring.boot;

import io.millrace.internal.ShownText;

/** The application cannot start, and it is known what to change. */
final class StartFailedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /**
   * Creates the exception.
   *
   * @param message the message; it is shown on one line
   * @param description what is wrong, for the report
   * @param action what to change, for the report
   */
  StartFailedException(String message, String description, String action) {
    super(ShownText.line(message));
    this.description = description;
    this.action = action;
  }

  String description() {
    return description;
  }

  String action() {
    return action;
  }
}
