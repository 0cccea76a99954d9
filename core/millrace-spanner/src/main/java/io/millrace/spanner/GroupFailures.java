package io.millrace.spanner;

import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.spi.GroupFailedException.Kind;

/** What the failure of a group's transaction says about its rows. */
final class GroupFailures {

  private GroupFailures() {}

  /**
   * @param sameTables whether all rows are written to the same tables. Then no row is at fault if
   *     one of these tables does not exist
   */
  static Kind kind(Throwable failure, boolean sameTables) {
    if (failure instanceof CommitOutcomeUnknownException) {
      return Kind.IN_DOUBT;
    }
    if (failure instanceof InsertTimeoutException) {
      return Kind.TRANSIENT;
    }
    if (failure instanceof SpannerException answer) {
      return sameTables && SequenceFailures.isTableMissing(answer)
          ? Kind.GROUP_REFUSED
          : ofAnswer(answer);
    }
    return failure instanceof SequenceException
            || failure instanceof TransactionRetriesExhaustedException
        ? Kind.GROUP_REFUSED
        : Kind.ROWS_REFUSED;
  }

  private static Kind ofAnswer(SpannerException answer) {
    return switch (answer.getErrorCode()) {
      case ALREADY_EXISTS, INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, OUT_OF_RANGE ->
          Kind.ROWS_REFUSED;
      default ->
          SequenceFailures.isRefusal(answer.getErrorCode()) ? Kind.GROUP_REFUSED : Kind.TRANSIENT;
    };
  }
}
