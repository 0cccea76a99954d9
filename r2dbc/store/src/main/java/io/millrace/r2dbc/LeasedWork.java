package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The work of a {@link Lease}, in autocommit or in a transaction of its own. */
final class LeasedWork<T> {

  private static final Logger LOGGER = Loggers.getLogger(Lease.class);

  private final Connection connection;
  private final Function<Connection, Mono<T>> work;
  private final BooleanSupplier abandoned;

  /**
   * Work that is not begun.
   *
   * @param connection the connection, which belongs to the lease
   * @param work what to do with it
   * @param abandoned whether nobody waits for the result any more; asked before a commit
   */
  LeasedWork(Connection connection, Function<Connection, Mono<T>> work, BooleanSupplier abandoned) {
    this.connection = connection;
    this.work = work;
    this.abandoned = abandoned;
  }

  /**
   * A commit that is left to somebody else may never come, and the values be given to others. So a
   * connection must be in autocommit; to make it so could commit what is not ours.
   */
  Mono<T> run(boolean inTransaction) {
    if (!connection.isAutoCommit()) {
      return Mono.error(
          new IllegalStateException(
              "the connection for a sequence is not in autocommit, or is in a transaction of"
                  + " somebody else; give the store a ConnectionFactory of its own"));
    }
    return inTransaction ? transaction() : work.apply(connection);
  }

  /**
   * Commits behind the work's result, rolls back behind its failure or when nobody waits for it any
   * more. A connection that cannot be rolled back is closed beneath the pool, so that the pool
   * finds it dead.
   */
  private Mono<T> transaction() {
    return Lease.call(connection::beginTransaction)
        .onErrorResume(failure -> rollbackUnlessForeign(failure).then(Mono.error(failure)))
        .then(
            Guarded.mono(() -> work.apply(connection))
                .switchIfEmpty(
                    Mono.error(() -> new IllegalStateException("the work gave no result")))
                .onErrorResume(failure -> rollback().then(Mono.error(failure)))
                .flatMap(this::commit));
  }

  private Mono<T> commit(T result) {
    if (abandoned.getAsBoolean()) {
      return rollback()
          .then(Mono.error(new CancellationException("nobody waits for the transaction any more")));
    }
    return Lease.call(connection::commitTransaction)
        .onErrorResume(failure -> rollbackUnlessOver().then(Mono.error(failure)))
        .thenReturn(result);
  }

  /** The driver of Spanner is in a transaction although it could not begin one. */
  private Mono<Void> rollbackUnlessForeign(Throwable failure) {
    boolean foreign = failure.getClass().getSimpleName().equals("TransactionInProgressException");
    return foreign ? Mono.empty() : rollback();
  }

  /** Most commits that fail end the transaction, and the driver of Spanner never tells of one. */
  private Mono<Void> rollbackUnlessOver() {
    return Guarded.mono(() -> connection.isAutoCommit() ? Mono.empty() : rollback());
  }

  private Mono<Void> rollback() {
    return Lease.call(connection::rollbackTransaction)
        .onErrorResume(
            failure -> {
              LOGGER.debug("A rollback failed; the connection is closed", failure);
              Connection beneath = Connections.innermost(connection);
              return beneath == connection
                  ? Mono.empty()
                  : Lease.call(beneath::close).onErrorComplete();
            });
  }
}
