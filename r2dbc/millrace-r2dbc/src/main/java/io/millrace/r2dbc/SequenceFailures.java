package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import java.util.function.BiFunction;

/**
 * Translates the refusals of a database to our exception types, which say whether a retry can help.
 * Transient failures stay as they are.
 */
final class SequenceFailures {

  private final R2dbcDialect dialect;
  private final BiFunction<String, Throwable, SequenceNotFoundException> missing;

  SequenceFailures(SequenceTable table) {
    this(table.dialect(), table::tableNotFound);
  }

  /**
   * @param missing the error for a sequence's name, if what holds the sequence does not exist
   */
  SequenceFailures(
      R2dbcDialect dialect, BiFunction<String, Throwable, SequenceNotFoundException> missing) {
    this.dialect = dialect;
    this.missing = missing;
  }

  /** Whether the work had no effect because another transaction was in the way. */
  boolean isConflict(Throwable failure) {
    return kind(failure) == ErrorCategory.CONFLICT;
  }

  /** Whether the row exists already. */
  boolean isDuplicate(Throwable failure) {
    return kind(failure) == ErrorCategory.DUPLICATE_KEY;
  }

  /** The error to report for a failure of the driver. */
  Throwable translate(String sequence, Throwable failure) {
    return switch (kind(failure)) {
      case TABLE_MISSING -> missing.apply(sequence, failure);
      case REFUSED, NOT_PERMITTED, DUPLICATE_KEY ->
          new SequenceStoreException(
              sequence, "was refused by " + dialect.name() + ": " + failure.getMessage(), failure);
      case CONFLICT, CONNECTION_LOST, OTHER -> failure;
    };
  }

  private ErrorCategory kind(Throwable failure) {
    boolean ours =
        failure instanceof SequenceException
            || failure instanceof IllegalArgumentException
            || failure instanceof TransactionRetriesExhaustedException;
    return ours ? ErrorCategory.OTHER : Failures.kind(dialect, failure);
  }
}
