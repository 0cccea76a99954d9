package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.r2dbc.spi.R2dbcException;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Classifies failures with their causes. */
final class Failures {

  private static final Logger LOGGER = Loggers.getLogger(Failures.class);

  private Failures() {}

  /** The kind of a failure; if it has none, the kind of the first cause that has one. */
  static ErrorCategory kind(R2dbcDialect dialect, Throwable failure) {
    if (failure instanceof CounterChangedException) {
      return ErrorCategory.CONFLICT;
    }
    try {
      return causes(failure)
          .map(dialect::kind)
          .filter(kind -> kind != ErrorCategory.OTHER)
          .findFirst()
          .orElse(ErrorCategory.OTHER);
    } catch (RuntimeException thrown) {
      LOGGER.warn("Could not classify {}", failure.getClass(), thrown);
      return ErrorCategory.OTHER;
    }
  }

  /** The kind of a failure; {@code OTHER} if it is that of another transaction. */
  static ErrorCategory localKind(R2dbcDialect dialect, Throwable failure) {
    return causes(failure).anyMatch(Failures::isOfAnotherTransaction)
        ? ErrorCategory.OTHER
        : kind(dialect, failure);
  }

  /** Whether the statements had no effect because another transaction was in the way. */
  static boolean isConflict(R2dbcDialect dialect, Throwable failure) {
    return localKind(dialect, failure) == ErrorCategory.CONFLICT;
  }

  /**
   * Translates a refusal of the database to our exception types, which say whether a retry can
   * help. Transient failures stay as they are.
   *
   * @param missing creates the error for a table or a sequence that does not exist
   */
  static Throwable translated(
      R2dbcDialect dialect,
      String sequence,
      Throwable failure,
      Function<Throwable, SequenceNotFoundException> missing) {
    return switch (localKind(dialect, failure)) {
      case TABLE_MISSING -> missing.apply(failure);
      case REFUSED, NOT_PERMITTED, DUPLICATE_KEY ->
          new SequenceStoreException(
              sequence, "was refused by " + dialect.name() + ": " + failure.getMessage(), failure);
      case CONFLICT, CONNECTION_LOST, OTHER -> failure;
    };
  }

  /** Whether the driver reports a failure that may be the fault of the connection. */
  static boolean shouldEvict(R2dbcDialect dialect, Throwable failure) {
    try {
      return dialect.shouldEvict(kind(dialect, failure))
          && causes(failure)
              .takeWhile(cause -> !isOfAnotherTransaction(cause))
              .anyMatch(R2dbcException.class::isInstance);
    } catch (RuntimeException thrown) { // of a dialect, or a driver's exception
      return true;
    }
  }

  /** Whether a failure is that of a store or of a transaction, which used another connection. */
  static boolean isOfAnotherTransaction(Throwable failure) {
    return failure instanceof SequenceException
        || failure instanceof TransactionRetriesExhaustedException;
  }

  /** A failure and its causes, 20 at most: a chain of causes may be a circle. */
  static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(20);
  }
}
