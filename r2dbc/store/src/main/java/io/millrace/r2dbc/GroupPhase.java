package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.insert.GroupFailedException.Kind;

/** How far a group's transaction had come, and what a failure then says about the rows. */
enum GroupPhase {
  /** The dialect was asked for, a connection was waited for, or the transaction was begun. */
  BEGINNING,
  /** Rows were sent. Without a commit they are rolled back. */
  WRITING,
  /** The commit was sent. What is no refusal leaves its effect open. */
  COMMITTING;

  /** What a failure says that is no conflict. */
  Kind kind(FailureKind failure, Throwable reported) {
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
              : isMisuse(reported) ? Kind.ROW_AT_FAULT : Kind.TRANSIENT;
      case BEGINNING -> isMisuse(reported) ? Kind.GROUP_REFUSED : Kind.TRANSIENT;
    };
  }

  /** Whether a driver objects to what it was given, rather than the database. */
  private static boolean isMisuse(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException
        || failure instanceof ClassCastException
        || failure instanceof NullPointerException
        || failure instanceof UnsupportedOperationException;
  }
}
