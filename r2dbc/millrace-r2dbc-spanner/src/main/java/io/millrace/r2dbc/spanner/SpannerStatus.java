package io.millrace.r2dbc.spanner;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.spanner.SessionNotFoundException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.r2dbc.ErrorCategory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** The meaning of a failure. The driver passes the exceptions of Spanner's client on. */
final class SpannerStatus {

  /**
   * A missing table has no separate code, and the text differs between GoogleSQL and PostgreSQL.
   * Only names of codes and classes may stand before these words, because later text in a message
   * may be from a row. A missing column does not match: PostgreSQL names it before its "relation".
   */
  private static final Pattern NO_TABLE =
      Pattern.compile(
          "^(?:[\\w.]+: |\\[ERROR] )*"
              + "(?:table not found|relation \"[^\"]*\" does not exist|schema not found)",
          Pattern.CASE_INSENSITIVE);

  private SpannerStatus() {}

  static ErrorCategory kind(Throwable failure) {
    if (failure instanceof SpannerTransactionState.EarlierFailureException) {
      return ErrorCategory.REFUSED;
    }
    if (failure instanceof SpannerException || failure instanceof ApiException) {
      SpannerException reported = SpannerExceptionFactory.asSpannerException(failure);
      return reported instanceof SessionNotFoundException ? ErrorCategory.OTHER : byCode(reported);
    }
    return isOfPool(failure) ? ErrorCategory.CONNECTION_LOST : ErrorCategory.OTHER;
  }

  private static ErrorCategory byCode(SpannerException failure) {
    return switch (failure.getErrorCode()) {
      case ABORTED -> ErrorCategory.CONFLICT;
      case ALREADY_EXISTS -> ErrorCategory.DUPLICATE_KEY;
      case NOT_FOUND, INVALID_ARGUMENT ->
          NO_TABLE.matcher(String.valueOf(failure.getMessage())).find()
              ? ErrorCategory.TABLE_MISSING
              : ErrorCategory.REFUSED;
      case PERMISSION_DENIED, UNAUTHENTICATED -> ErrorCategory.NOT_PERMITTED;
      case FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED -> ErrorCategory.REFUSED;
      case UNAVAILABLE, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, CANCELLED ->
          ErrorCategory.CONNECTION_LOST;
      default -> ErrorCategory.OTHER;
    };
  }

  /** Whether a pool has no connection to give. With a cause, the cause says more. */
  private static boolean isOfPool(Throwable failure) {
    return failure.getCause() == null
        && (failure instanceof R2dbcNonTransientResourceException
            || failure instanceof R2dbcTransientResourceException
            || failure instanceof R2dbcTimeoutException
            || failure instanceof TimeoutException
            || failure instanceof IOException);
  }
}
