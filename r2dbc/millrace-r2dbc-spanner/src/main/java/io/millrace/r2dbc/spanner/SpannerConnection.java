package io.millrace.r2dbc.spanner;

import com.google.cloud.spanner.r2dbc.TransactionInProgressException;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A connection of Spanner's driver; see {@link SpannerConnectionFactory}. */
final class SpannerConnection implements Connection, Wrapped<Connection> {

  private final Connection connection;

  /** Null outside a transaction. Written when the driver has begun or ended one. */
  private volatile @Nullable SpannerTransactionState transaction;

  SpannerConnection(Connection connection) {
    this.connection = connection;
  }

  @Nullable SpannerTransactionState transaction() {
    return transaction;
  }

  @Override
  public Connection unwrap() {
    return connection;
  }

  @Override
  public Publisher<Void> beginTransaction() {
    return begun(connection.beginTransaction(), false);
  }

  @Override
  public Publisher<Void> beginTransaction(TransactionDefinition definition) {
    boolean readOnly =
        Boolean.TRUE.equals(definition.getAttribute(TransactionDefinition.READ_ONLY));
    return begun(connection.beginTransaction(definition), readOnly);
  }

  /** After a begin that failed, the driver is in a transaction nevertheless. */
  private Mono<Void> begun(Publisher<Void> begin, boolean readOnly) {
    return Mono.from(begin)
        .onErrorResume(
            failure ->
                failure instanceof TransactionInProgressException
                    ? Mono.error(failure)
                    : rollback().onErrorComplete().then(Mono.error(failure)))
        .doOnSuccess(done -> transaction = new SpannerTransactionState(readOnly));
  }

  @Override
  public Publisher<Void> commitTransaction() {
    return Mono.from(connection.commitTransaction()).doOnTerminate(() -> transaction = null);
  }

  @Override
  public Publisher<Void> rollbackTransaction() {
    return rollback();
  }

  private Mono<Void> rollback() {
    return Mono.from(connection.rollbackTransaction())
        .onErrorComplete(IllegalStateException.class)
        .doOnTerminate(() -> transaction = null);
  }

  @Override
  public Publisher<Void> close() {
    return Mono.from(connection.close()).doOnTerminate(() -> transaction = null);
  }

  @Override
  public Statement createStatement(String sql) {
    return new SpannerStatement(connection.createStatement(sql), this);
  }

  @Override
  public boolean isAutoCommit() {
    return transaction == null && connection.isAutoCommit();
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
