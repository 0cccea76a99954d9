package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The work on an {@link AcquiredConnection}, in autocommit or in a new transaction. */
final class ConnectionWork<T> {

  private static final Logger LOGGER = Loggers.getLogger(AcquiredConnection.class);

  private final Connection connection;
  private final Function<Connection, Mono<T>> work;
  private final BooleanSupplier cancelled;
  private final Runnable onRollbackFailure;

  /**
   * Creates work that has not begun.
   *
   * @param connection the connection, which the {@link AcquiredConnection} returns
   * @param work what to do with it
   * @param cancelled whether the subscriber has cancelled; asked before a commit
   * @param onRollbackFailure called if the state of the connection is unknown
   */
  ConnectionWork(
      Connection connection,
      Function<Connection, Mono<T>> work,
      BooleanSupplier cancelled,
      Runnable onRollbackFailure) {
    this.connection = connection;
    this.work = work;
    this.cancelled = cancelled;
    this.onRollbackFailure = onRollbackFailure;
  }

  /**
   * Runs the work. The connection must be in autocommit. In a transaction of the application, the
   * commit could fail to happen, and the same values would be issued again. Switching autocommit on
   * could then commit the application's statements.
   *
   * @param prepared prepares a new connection
   */
  Mono<T> apply(boolean inTransaction, Mono<Void> prepared) {
    if (!connection.isAutoCommit()) {
      return Mono.error(
          new IllegalStateException(
              "the connection for a sequence is not in autocommit, or is in a transaction that"
                  + " the store did not begin; use a separate ConnectionFactory for the store"));
    }
    return prepared.then(
        Mono.defer(() -> inTransaction ? inTransaction() : work.apply(connection)));
  }

  /**
   * Commits after the work's result. Rolls back after its failure, or if the subscriber has
   * cancelled.
   */
  private Mono<T> inTransaction() {
    return AcquiredConnection.call(connection::beginTransaction)
        .onErrorResume(failure -> rollbackUnlessForeign(failure).then(Mono.error(failure)))
        .then(
            Mono.defer(() -> work.apply(connection))
                .switchIfEmpty(
                    Mono.error(() -> new IllegalStateException("the work emitted no result")))
                .onErrorResume(failure -> rollback().then(Mono.error(failure)))
                .flatMap(this::commit));
  }

  private Mono<T> commit(T result) {
    if (cancelled.getAsBoolean()) {
      return rollback()
          .then(
              Mono.error(
                  new CancellationException("the subscriber has cancelled the transaction")));
    }
    return AcquiredConnection.call(connection::commitTransaction)
        .onErrorResume(failure -> rollbackUnlessOver().then(Mono.error(failure)))
        .thenReturn(result);
  }

  /**
   * After a failed begin, a driver may be in a transaction nevertheless and need a rollback. If the
   * failure says that a transaction was in progress, that one is not ours to roll back.
   */
  private Mono<Void> rollbackUnlessForeign(Throwable failure) {
    boolean foreign = failure.getClass().getSimpleName().equals("TransactionInProgressException");
    return foreign ? Mono.empty() : rollback();
  }

  /**
   * Most failed commits end the transaction, and the connection is in autocommit again: then there
   * is nothing to roll back.
   */
  private Mono<Void> rollbackUnlessOver() {
    return Mono.defer(() -> connection.isAutoCommit() ? Mono.empty() : rollback());
  }

  private Mono<Void> rollback() {
    return AcquiredConnection.call(connection::rollbackTransaction)
        .onErrorResume(
            failure -> {
              LOGGER.debug("A rollback failed; the connection is closed", failure);
              onRollbackFailure.run();
              return Mono.empty();
            });
  }
}
