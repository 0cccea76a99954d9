package io.millrace.spring.boot;

import io.millrace.internal.LogSafe;

/** The application cannot start, and it is known what to change. */
final class StartFailedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /**
   * Creates the exception.
   *
   * @param description what is wrong; on one line, it is also the message
   * @param action what to change
   */
  StartFailedException(String description, String action) {
    super(LogSafe.line(description));
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
