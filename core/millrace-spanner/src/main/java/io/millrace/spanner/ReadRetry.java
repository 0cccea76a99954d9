package io.millrace.spanner;

import reactor.util.retry.Retry;

/** Retries of reads outside a transaction. */
final class ReadRetry {

  private static final int TIMES = 3;

  /**
   * Retries a read up to 3 times if the server refused it and the client lost the reason. A later
   * attempt usually shows the reason. If none does, the error is the client's own {@code
   * SpannerException}.
   */
  static final Retry AFTER_LOST_ANSWER =
      Retry.max(TIMES)
          .filter(LostAnswerException.class::isInstance)
          .onRetryExhaustedThrow((retry, signal) -> signal.failure().getCause());

  private ReadRetry() {}
}
