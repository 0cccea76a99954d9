package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * One connection on loan: the subscriber that a source of connections answers.
 *
 * <p>Invariant: a connection that arrives, however late, is given back once. Cancelling reaches the
 * source only before a connection has come. Tasks on the Scheduler are never disposed of, since
 * that would interrupt a thread inside a database.
 */
final class Lease<T> extends BaseSubscriber<Connection> {

  private static final Logger LOGGER = Loggers.getLogger(Lease.class);
  private static final int MAX_WRAPPERS = 10;

  private final MonoSink<T> sink;
  private final Function<Connection, Mono<T>> work;
  private final boolean inTransaction;
  private final boolean blocking;

  /** Written by the cancelling thread, once. */
  private volatile boolean abandoned;

  /**
   * Set by the connection's arrival or by the cancel, whichever is first. A pool that hears of a
   * cancel takes its connection back, also from under work that has begun.
   */
  private final AtomicBoolean decided = new AtomicBoolean();

  /** Written when the connection arrives, before any work. */
  private @Nullable Connection connection;

  Lease(
      MonoSink<T> sink,
      Function<Connection, Mono<T>> work,
      boolean inTransaction,
      boolean blocking) {
    this.sink = sink;
    this.work = work;
    this.inTransaction = inTransaction;
    this.blocking = blocking;
  }

  void acquire(ConnectionFactory factory) {
    sink.onCancel(
        () -> {
          abandoned = true;
          if (decided.compareAndSet(false, true)) {
            cancel();
          }
        });
    // The driver of Spanner answers all subscribers of one publisher with one connection.
    Mono<Connection> acquisition = Mono.defer(() -> Mono.from(factory.create()));
    run(() -> acquisition.subscribe(this));
  }

  private Connection connection() {
    return Objects.requireNonNull(connection, "connection");
  }

  @Override
  public Context currentContext() {
    return Context.of(sink.contextView());
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    requestUnbounded();
  }

  @Override
  protected void hookOnNext(Connection arrived) {
    connection = arrived;
    decided.set(true);
    run(this::work);
  }

  @Override
  protected void hookOnComplete() {
    if (connection == null) {
      sink.error(new IllegalStateException("the source of connections gave none"));
    }
  }

  @Override
  protected void hookOnError(Throwable failure) {
    fail(failure);
  }

  private void run(Runnable task) {
    if (!blocking) {
      task.run();
      return;
    }
    try {
      Schedulers.boundedElastic().schedule(task);
    } catch (RejectedExecutionException full) {
      if (connection == null) {
        fail(full);
      } else {
        giveBack(Signal.error(full));
      }
    }
  }

  private void work() {
    if (abandoned) {
      giveBack(Signal.complete());
      return;
    }
    Mono.defer(this::guardedWork)
        .materialize()
        .contextWrite(currentContext())
        .subscribe(this::giveBack);
  }

  private void giveBack(Signal<T> result) {
    call(connection()::close)
        .contextWrite(currentContext())
        .subscribe(
            null,
            failure -> {
              LOGGER.debug("A connection could not be given back", failure);
              answer(result);
            },
            () -> answer(result));
  }

  private void answer(Signal<T> result) {
    Throwable failure = result.getThrowable();
    if (failure != null) {
      fail(failure);
    } else {
      sink.success(result.get());
    }
  }

  private void fail(Throwable failure) {
    if (abandoned) {
      LOGGER.debug("Failed when nobody waited any more", failure);
    } else {
      sink.error(failure);
    }
  }

  /**
   * A commit that is left to somebody else may never come, and the values be given to others. So a
   * connection must be in autocommit; to make it so could commit what is not ours.
   */
  private Mono<T> guardedWork() {
    if (!connection().isAutoCommit()) {
      return Mono.error(
          new IllegalStateException(
              "the connection for a sequence is not in autocommit, or is in a transaction of"
                  + " somebody else; give the store a ConnectionFactory of its own"));
    }
    return inTransaction ? transaction() : work.apply(connection());
  }

  /**
   * Commits behind the work's result, rolls back behind its failure or when nobody waits for it any
   * more. A connection that cannot be rolled back is closed beneath the pool, so that the pool
   * finds it dead.
   */
  private Mono<T> transaction() {
    return call(connection()::beginTransaction)
        .onErrorResume(failure -> rollbackUnlessForeign(failure).then(Mono.error(failure)))
        .then(
            Mono.defer(() -> work.apply(connection()))
                .switchIfEmpty(
                    Mono.error(() -> new IllegalStateException("the work gave no result")))
                .onErrorResume(failure -> rollback().then(Mono.error(failure)))
                .flatMap(this::commit));
  }

  private Mono<T> commit(T result) {
    if (abandoned) {
      return rollback()
          .then(Mono.error(new CancellationException("nobody waits for the transaction any more")));
    }
    return call(connection()::commitTransaction)
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
    return Mono.defer(() -> connection().isAutoCommit() ? Mono.empty() : rollback());
  }

  private Mono<Void> rollback() {
    return call(connection()::rollbackTransaction)
        .onErrorResume(
            failure -> {
              LOGGER.debug("A rollback failed; the connection is closed", failure);
              Connection beneath = innermost(connection());
              return beneath == connection()
                  ? Mono.empty()
                  : call(beneath::close).onErrorComplete();
            });
  }

  /** The driver's own connection. */
  static Connection innermost(Connection connection) {
    Connection at = connection;
    for (int i = 0; i < MAX_WRAPPERS; i++) {
      if (!(at instanceof Wrapped<?> wrapper && wrapper.unwrap() instanceof Connection inner)) {
        return at;
      }
      at = inner;
    }
    return at;
  }

  private interface Call {
    Publisher<Void> start();
  }

  /** A request to the driver whose throw is an error like any other. */
  private static Mono<Void> call(Call call) {
    return Mono.defer(() -> Mono.from(call.start()));
  }
}
