package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.TransactionRetriesExhaustedException;
import io.r2dbc.spi.R2dbcException;
import java.util.Objects;
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

  /** Whether the driver reports a failure that may be the fault of the connection. */
  static boolean shouldEvict(R2dbcDialect dialect, Throwable failure) {
    return dialect.shouldEvict(kind(dialect, failure))
        && causes(failure)
            .takeWhile(cause -> !isOfAnotherTransaction(cause))
            .anyMatch(R2dbcException.class::isInstance);
  }

  /** Whether a failure is that of a store or of a transaction, which had their own connection. */
  static boolean isOfAnotherTransaction(Throwable failure) {
    return failure instanceof SequenceException
        || failure instanceof TransactionRetriesExhaustedException;
  }

  /** A failure and its causes, 20 at most: a chain of causes may be a circle. */
  static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(20);
  }
}
