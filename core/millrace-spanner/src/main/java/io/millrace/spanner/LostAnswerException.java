package io.millrace.spanner;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;

/**
 * The server refused a read or query, and the client lost the refusal.
 *
 * <p>When the refusal arrives while the client is still setting the stream up, the client (6.107.0)
 * starts to read the stream twice. The second reader finds that the stream has ended, and hides the
 * refusal behind an {@code IllegalStateException} of its own. Under contention the refusal is
 * nearly always an abort. In any case the statement had no effect, and sending it again shows the
 * reason.
 */
final class LostAnswerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LostAnswerException(Throwable cause) {
    super("Spanner refused a read, and the client lost the reason", cause);
  }

  static boolean isLost(Throwable failure) {
    return failure instanceof SpannerException unknown
        && unknown.getErrorCode() == ErrorCode.UNKNOWN
        && unknown.getCause() instanceof IllegalStateException;
  }
}
