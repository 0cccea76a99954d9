package io.millrace.spanner;

import reactor.util.retry.Retry;

/** When to send a read outside a transaction again. */
final class ReadRetry {

  private static final int TIMES = 3;

  /**
   * When the client lost why the server refused it: that comes to light sooner or later. A {@code
   * SpannerException} of the client's own stands for it if it never does.
   */
  static final Retry AFTER_LOST_ANSWER =
      Retry.max(TIMES)
          .filter(LostAnswerException.class::isInstance)
          .onRetryExhaustedThrow((retry, signal) -> signal.failure().getCause());

  private ReadRetry() {}
}
