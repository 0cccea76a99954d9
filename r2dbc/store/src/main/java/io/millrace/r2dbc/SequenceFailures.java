package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;

/**
 * Gives the refusals of a database the types that say whether a retry can help. What may pass by
 * itself stays what it is.
 */
final class SequenceFailures {

  private final SequenceTable table;

  SequenceFailures(SequenceTable table) {
    this.table = table;
  }

  /** Whether work had no effect, and only because others were in the way. */
  boolean isConflict(Throwable failure) {
    return failure instanceof CounterChangedException || kind(failure) == FailureKind.CONFLICT;
  }

  /** Whether a row is there already. */
  boolean isDuplicate(Throwable failure) {
    return kind(failure) == FailureKind.DUPLICATE_KEY;
  }

  /** The error that stands for a failure of the driver. */
  Throwable translate(String sequence, Throwable failure) {
    return switch (kind(failure)) {
      case TABLE_MISSING -> table.noTable(sequence, failure);
      case REFUSED, NOT_PERMITTED, DUPLICATE_KEY ->
          new SequenceStoreException(
              sequence,
              "was refused by " + table.dialect().name() + ": " + failure.getMessage(),
              failure);
      case CONFLICT, CONNECTION_LOST, OTHER -> failure;
    };
  }

  /** The error of a call in a transaction that an earlier failure has ended. */
  Throwable behind(String sequence, Throwable earlier) {
    return translate(sequence, earlier) == earlier
        ? earlier
        : new SequenceStoreException(
            sequence,
            "gives no value in a transaction in which a statement has failed; roll it back: "
                + earlier.getMessage(),
            earlier);
  }

  private FailureKind kind(Throwable failure) {
    boolean ours =
        failure instanceof SequenceException
            || failure instanceof IllegalArgumentException
            || failure instanceof TransactionRetriesExhaustedException;
    return ours ? FailureKind.OTHER : table.dialect().failure(failure);
  }
}
