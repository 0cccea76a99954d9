package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.insert.spi.GroupFailedException.Kind;

/** How far a group's transaction has come, and what a failure then means for the rows. */
enum GroupPhase {
  /** The dialect is being found, a connection is awaited, or the transaction is being begun. */
  BEGINNING,
  /** Rows are being sent. Without a commit they are rolled back. */
  WRITING,
  /**
   * The commit was sent, or a statement that commits by itself. Unless the failure is a refusal,
   * the effect is unknown.
   */
  COMMITTING;

  /** The meaning of a failure that is not a conflict. */
  Kind kind(ErrorCategory failure, Throwable reported) {
    return switch (failure) {
      case DUPLICATE_KEY, REFUSED -> this == BEGINNING ? Kind.GROUP_REFUSED : Kind.ROWS_REFUSED;
      case TABLE_MISSING, NOT_PERMITTED -> Kind.GROUP_REFUSED;
      case CONNECTION_LOST -> this == COMMITTING ? Kind.IN_DOUBT : Kind.TRANSIENT;
      case CONFLICT, OTHER -> ofUnknownFailure(reported);
    };
  }

  private Kind ofUnknownFailure(Throwable reported) {
    return switch (this) {
      case COMMITTING -> Kind.IN_DOUBT;
      case WRITING ->
          reported instanceof SequenceException
              ? Kind.GROUP_REFUSED
              : isMisuse(reported) ? Kind.ROWS_REFUSED : Kind.TRANSIENT;
      case BEGINNING ->
          reported instanceof SequenceException || isMisuse(reported)
              ? Kind.GROUP_REFUSED
              : Kind.TRANSIENT;
    };
  }

  /** Whether the driver rejects its arguments; such a failure does not come from the database. */
  private static boolean isMisuse(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException
        || failure instanceof ClassCastException
        || failure instanceof NullPointerException
        || failure instanceof UnsupportedOperationException;
  }
}
