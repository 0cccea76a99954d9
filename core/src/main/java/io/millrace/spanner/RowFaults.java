package io.millrace.spanner;

import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceException;

/** What the failure of a group, of which nothing was written, says about its rows. */
final class RowFaults {

  private RowFaults() {}

  /** Whether the same group may be written a while later. */
  static boolean mayPass(Throwable failure) {
    return failure instanceof SpannerException answer
        && !SequenceFailures.isRefusal(answer.getErrorCode());
  }

  /** Whether one row can be the reason, so that the others can be written without it. */
  static boolean isRowFault(Throwable failure) {
    return failure instanceof SpannerException
        ? isRefusalOfRows(failure)
        : !(failure instanceof SequenceException)
            && !(failure instanceof TransactionRetriesExhaustedException);
  }

  /** Whether Spanner refused the rows for what they are, as it would in any other transaction. */
  static boolean isRefusalOfRows(Throwable failure) {
    return failure instanceof SpannerException answer
        && switch (answer.getErrorCode()) {
          case ALREADY_EXISTS, INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, OUT_OF_RANGE ->
              true;
          default -> false;
        };
  }
}
