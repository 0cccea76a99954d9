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
 * Maps Spanner's refusals to exceptions whose type says whether a retry can help. A failure that
 * may be transient stays as it is.
 */
final class SequenceFailures {

  /**
   * A missing table has no error code of its own, and GoogleSQL and PostgreSQL word it differently.
   * Only names of codes and classes may stand before these words, because later text in a message
   * may be from a row. A missing column does not match: PostgreSQL names it before its "relation".
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

  /** The error for a sequence without a counter, for {@code switchIfEmpty}. */
  <T> Mono<T> noCounter(String sequence) {
    return dialect.flatMap(known -> Mono.error(table.noCounter(known, sequence)));
  }

  /** The error that users get for a failure of the client, for {@code onErrorResume}. */
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

  /** Whether Spanner has examined a request and refused it permanently. */
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
