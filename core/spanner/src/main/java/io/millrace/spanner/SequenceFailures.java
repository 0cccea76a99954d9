package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseNotFoundException;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceNotFoundException;
import com.google.cloud.spanner.SessionNotFoundException;
import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceStoreException;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Gives Spanner's refusals the types that say whether a retry can help. What may pass by itself
 * stays what it is.
 */
final class SequenceFailures {

  /**
   * GoogleSQL and PostgreSQL word it differently; there is no code for it. A column that is missing
   * is one "of relation" in PostgreSQL's words. Only the names of codes and of classes may stand
   * before it: what comes later in a message may be the text of a row.
   */
  private static final Pattern NO_TABLE =
      Pattern.compile(
          "^(?:[\\w.]+: |\\[ERROR] )*"
              + "(?:table not found|relation \"[^\"]*\" does not exist|schema not found)",
          Pattern.CASE_INSENSITIVE);

  private final SequenceTable table;
  private final Mono<Dialect> dialect;

  /**
   * @param dialect the database's dialect, for the statements in messages
   */
  SequenceFailures(SequenceTable table, Mono<Dialect> dialect) {
    this.table = table;
    this.dialect = dialect.onErrorReturn(Dialect.GOOGLE_STANDARD_SQL);
  }

  /** The error that a sequence has no row, for {@code switchIfEmpty}. */
  <T> Mono<T> noCounter(String sequence) {
    return dialect.flatMap(known -> Mono.error(table.noCounter(known, sequence)));
  }

  /** The error that stands for a failure of the client, for {@code onErrorResume}. */
  <T> Mono<T> translate(String sequence, Throwable failure) {
    if (!(failure instanceof SpannerException refusal)
        || failure instanceof SessionNotFoundException) {
      return Mono.error(failure);
    }
    if (isTableMissing(refusal)) {
      return dialect.flatMap(known -> Mono.error(table.noTable(known, sequence, failure)));
    }
    return Mono.error(
        isRefusal(refusal.getErrorCode())
            ? new SequenceStoreException(
                sequence, "was refused by Spanner: " + refusal.getMessage(), refusal)
            : failure);
  }

  /** Whether a statement names a table that does not exist. */
  static boolean isTableMissing(SpannerException failure) {
    return (failure.getErrorCode() == ErrorCode.NOT_FOUND
            || failure.getErrorCode() == ErrorCode.INVALID_ARGUMENT)
        && !(failure instanceof DatabaseNotFoundException)
        && !(failure instanceof InstanceNotFoundException)
        && NO_TABLE.matcher(String.valueOf(failure.getMessage())).find();
  }

  /** Whether Spanner looked at a request and will not do it, now or later. */
  static boolean isRefusal(ErrorCode code) {
    return switch (code) {
      case INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED ->
          true;
      default -> false;
    };
  }
}
