package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import java.util.function.Function;

/**
 * Translates the refusals of a database to our exception types, which say whether a retry can help.
 * Transient failures stay as they are.
 */
final class SequenceFailures {

  private SequenceFailures() {}

  /**
   * The error to report for a failure of the driver.
   *
   * @param missing the error if what holds the sequence does not exist
   */
  static Throwable translate(
      R2dbcDialect dialect,
      String sequence,
      Throwable failure,
      Function<Throwable, SequenceNotFoundException> missing) {
    return switch (kind(dialect, failure)) {
      case TABLE_MISSING -> missing.apply(failure);
      case REFUSED, NOT_PERMITTED, DUPLICATE_KEY ->
          new SequenceStoreException(
              sequence, "was refused by " + dialect.name() + ": " + failure.getMessage(), failure);
      case CONFLICT, CONNECTION_LOST, OTHER -> failure;
    };
  }

  /** The kind of a failure of the driver; {@link ErrorCategory#OTHER} for our own. */
  static ErrorCategory kind(R2dbcDialect dialect, Throwable failure) {
    boolean ours =
        failure instanceof SequenceException
            || failure instanceof IllegalArgumentException
            || failure instanceof TransactionRetriesExhaustedException;
    return ours ? ErrorCategory.OTHER : Failures.kind(dialect, failure);
  }
}
