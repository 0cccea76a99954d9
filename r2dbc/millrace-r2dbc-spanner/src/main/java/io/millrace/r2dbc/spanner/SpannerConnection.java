package io.millrace.r2dbc.spanner;

import com.google.cloud.spanner.r2dbc.TransactionInProgressException;
import io.millrace.internal.Threads;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A connection of Spanner's driver; see {@link SpannerConnectionFactory}. */
final class SpannerConnection implements Connection, Wrapped<Connection> {

  private final Connection connection;

  /** Null outside a transaction. Written when the driver has begun or ended one. */
  private volatile @Nullable SpannerTransactionState transaction;

  SpannerConnection(Connection connection) {
    this.connection = connection;
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
    return ending(connection.commitTransaction());
  }

  @Override
  public Publisher<Void> rollbackTransaction() {
    return rollback();
  }

  private Mono<Void> rollback() {
    return ending(connection.rollbackTransaction()).onErrorComplete(IllegalStateException.class);
  }

  /** A call after which the driver is in no transaction. */
  private Mono<Void> ending(Publisher<Void> call) {
    return Mono.from(call).doOnTerminate(() -> transaction = null);
  }

  @Override
  public Publisher<Void> close() {
    return ending(connection.close());
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
    Batch batch = connection.createBatch();
    return new Batch() {
      @Override
      public Batch add(String sql) {
        batch.add(sql);
        return this;
      }

      @Override
      public Publisher<? extends Result> execute() {
        return SpannerConnection.this.execute(batch::execute);
      }
    };
  }

  /** Executes a statement or a batch, in the transaction that there is at the subscription. */
  Flux<Result> execute(Supplier<Publisher<? extends Result>> call) {
    return Flux.defer(
        () -> {
          Flux<Result> results = Flux.from(call.get());
          SpannerTransactionState current = transaction;
          return current == null
              ? Threads.of(Schedulers.boundedElastic()).thenMany(results)
              : current.guarded(results).map(result -> new ResultInTransaction(result, current));
        });
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

  /** If this changes the driver's mode, the driver commits. */
  @Override
  public Publisher<Void> setAutoCommit(boolean autoCommit) {
    return Mono.defer(
        () -> {
          boolean commits = autoCommit != connection.isAutoCommit();
          Publisher<Void> change = connection.setAutoCommit(autoCommit);
          return commits ? ending(change) : Mono.from(change);
        });
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
