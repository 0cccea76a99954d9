package io.millrace.admin;

/** The request is rejected, and nothing was changed. The message is one line. */
final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
