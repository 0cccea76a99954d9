package io.millrace.spring;

import io.millrace.internal.ShownText;

/** The table or a sequence was not ready at start, so the start failed. */
final class SequencesNotReadyException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  SequencesNotReadyException(String message) {
    super(ShownText.line(message));
  }

  SequencesNotReadyException(String message, Throwable cause) {
    super(ShownText.line(message), cause);
  }
}
