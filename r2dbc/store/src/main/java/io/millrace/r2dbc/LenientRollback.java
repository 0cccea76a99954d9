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
 * A connection of Spanner's driver that rolls back quietly what has ended by itself. Spanner's
 * client refuses to roll back a transaction that was aborted, with an {@code
 * IllegalStateException}; the driver passes that on, having closed the transaction all the same. A
 * transaction manager would report that refusal instead of the abort.
 */
record LenientRollback(Connection connection) implements Connection, Wrapped<Connection> {

  /** Completes if the transaction has ended: that is what was asked for. */
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
