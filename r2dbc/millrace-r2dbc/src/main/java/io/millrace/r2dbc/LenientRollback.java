package io.millrace.r2dbc;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A connection of Spanner's driver whose rollback succeeds even if the transaction has already
 * ended. Spanner's client refuses to roll back an aborted transaction, with an {@code
 * IllegalStateException}. The driver closes the transaction nevertheless, and passes the exception
 * on. A transaction manager would then report this exception instead of the abort.
 */
record LenientRollback(Connection connection) implements Connection, Wrapped<Connection> {

  /** Completes also if the transaction has already ended. */
  @Override
  public Publisher<Void> rollbackTransaction() {
    return Mono.from(connection.rollbackTransaction()).onErrorComplete(IllegalStateException.class);
  }

  @Override
  public Connection unwrap() {
    return connection;
  }

  @Override
  public Publisher<Void> beginTransaction() {
    return connection.beginTransaction();
  }

  @Override
  public Publisher<Void> beginTransaction(TransactionDefinition definition) {
    return connection.beginTransaction(definition);
  }

  @Override
  public Publisher<Void> close() {
    return connection.close();
  }

  @Override
  public Publisher<Void> commitTransaction() {
    return connection.commitTransaction();
  }

  @Override
  public Batch createBatch() {
    return connection.createBatch();
  }

  @Override
  public Publisher<Void> createSavepoint(String name) {
    return connection.createSavepoint(name);
  }

  @Override
  public Statement createStatement(String sql) {
    return connection.createStatement(sql);
  }

  @Override
  public boolean isAutoCommit() {
    return connection.isAutoCommit();
  }

  @Override
  public ConnectionMetadata getMetadata() {
    return connection.getMetadata();
  }

  @Override
  public IsolationLevel getTransactionIsolationLevel() {
    return connection.getTransactionIsolationLevel();
  }

  @Override
  public Publisher<Void> releaseSavepoint(String name) {
    return connection.releaseSavepoint(name);
  }

  @Override
  public Publisher<Void> rollbackTransactionToSavepoint(String name) {
    return connection.rollbackTransactionToSavepoint(name);
  }

  @Override
  public Publisher<Void> setAutoCommit(boolean autoCommit) {
    return connection.setAutoCommit(autoCommit);
  }

  @Override
  public Publisher<Void> setLockWaitTimeout(Duration timeout) {
    return connection.setLockWaitTimeout(timeout);
  }

  @Override
  public Publisher<Void> setStatementTimeout(Duration timeout) {
    return connection.setStatementTimeout(timeout);
  }

  @Override
  public Publisher<Void> setTransactionIsolationLevel(IsolationLevel level) {
    return connection.setTransactionIsolationLevel(level);
  }

  @Override
  public Publisher<Boolean> validate(ValidationDepth depth) {
    return connection.validate(depth);
  }

  @Override
  public String toString() {
    return connection.toString();
  }
}
