package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.internal.ReliableScheduler;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Acquires a connection for each piece of work, and returns it once.
 *
 * <p><b>Pools.</b> A store or a writer has a small pool of its own over a driver's factory. A
 * {@link ConnectionPool} of the application is used as it is.
 *
 * <p><b>Faults.</b> After a failure that may be the connection's, a failed rollback, or work that
 * does not end within {@link #GRACE} of its cancel, the driver's connection is closed, and a pool
 * replaces it. A pool of its own is retired as a whole, and the next request opens another one: a
 * network or a failover that broke one connection broke the others, too.
 *
 * <p><b>Cancels.</b> A cancel withdraws the request for a connection. Work that has begun is never
 * cut off, because the state of its connection would be unknown: the cancel sets a flag, which is
 * read before a commit. A driver that blocks runs the database on the calling thread, so its work
 * is waited for.
 */
final class Connections {

  /** How long work may continue after a cancel before its connection is closed. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /**
   * How many connections may hang: their work was cancelled, and neither ends nor do they close.
   */
  static final int MOST_HUNG = 4;

  private static final int SIZE_OF_STORE = 4;
  private static final Duration IDLE_OF_STORE = Duration.ofSeconds(30);

  /** How long a failure or a close waits for a connection to close. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** A connection that hangs counts as closed after this time, even without an answer. */
  private static final Duration ASSUMED_CLOSED_AFTER = Duration.ofMinutes(1);

  private static final Logger LOGGER = Loggers.getLogger(Connections.class);

  /** A failure that comes from the work, whatever its cause, and not from its connection. */
  abstract static class WorkFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkFailure(String message, @Nullable Throwable cause) {
      super(message, cause, false, false);
    }
  }

  private enum Stage {
    /** Asking for a connection. */
    WAITING,
    WORKING,
    /** Its connection is being closed, or waited for if the driver blocks. */
    HUNG,
    ENDED
  }

  private final ConnectionFactory factory;
  private final int size;
  private final Duration idle;

  /** The pool for new requests; null if there is none yet, or if the last one is retired. */
  private final AtomicReference<@Nullable OwnPool> current = new AtomicReference<>();

  /** The pieces of work whose connections hang. */
  private final Set<Use<?>> hung = ConcurrentHashMap.newKeySet();

  /** The driver's connections that their dialect has prepared. */
  private final Set<Connection> prepared =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private Connections(ConnectionFactory factory, int size, Duration idle) {
    this.factory = factory;
    this.size = size;
    this.idle = idle;
  }

  /** Uses a factory as it is. */
  static Connections of(ConnectionFactory factory) {
    return new Connections(factory, 0, Duration.ZERO);
  }

  /** Uses a small pool over a factory, or the factory itself if it leads to a pool. */
  static Connections ofStore(ConnectionFactory factory) {
    return new Connections(factory, isPool(factory) ? 0 : SIZE_OF_STORE, IDLE_OF_STORE);
  }

  /**
   * Uses a pool that is open only while there is work, because a pipeline is not disposed of. The
   * pipeline itself limits how much work there is.
   */
  static Connections ofInserts(ConnectionFactory factory) {
    return new Connections(factory, isPool(factory) ? 0 : Integer.MAX_VALUE, Duration.ZERO);
  }

  private static boolean isPool(ConnectionFactory factory) {
    return Unwrap.of(factory, ConnectionFactory.class).stream()
        .anyMatch(ConnectionPool.class::isInstance);
  }

  /** Runs work on a connection in autocommit, when subscribed to. */
  <T> Mono<T> use(R2dbcDialect dialect, Function<Connection, Mono<T>> work) {
    return Mono.create(sink -> new Use<>(sink, dialect, false, work).begin());
  }

  /** Runs work in a new transaction, and commits after its result. */
  <T> Mono<T> useInTransaction(R2dbcDialect dialect, Function<Connection, Mono<T>> work) {
    return Mono.create(sink -> new Use<>(sink, dialect, true, work).begin());
  }

  /** How many connections hang. */
  int hung() {
    return hung.size();
  }

  /** Retires the pool, if there is one. Completes when it is closed, or soon. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          OwnPool pool = current.get();
          return pool == null ? Mono.empty() : pool.close().timeout(CLOSE_TIMEOUT, Mono.empty());
        });
  }

  private OwnPool enterPool(R2dbcDialect dialect) {
    for (; ; ) {
      OwnPool pool = current.get();
      if (pool != null && pool.enter()) {
        return pool;
      }
      OwnPool next = new OwnPool(source(dialect), size, idle);
      if (current.compareAndSet(pool, next)) {
        next.closeWhenIdle();
      }
    }
  }

  private ConnectionFactory source(R2dbcDialect dialect) {
    return dialect.adapt(factory);
  }

  private static Mono<Void> close(Connection connection) {
    return Mono.defer(() -> Mono.from(connection.close()));
  }

  private static Connection driversOwn(Connection connection) {
    return Unwrap.innermost(connection, Connection.class);
  }

  /** Closes the driver's connection, then returns the dead one to its pool. */
  private static Mono<Void> discard(Connection connection) {
    Connection own = driversOwn(connection);
    return own == connection ? close(own) : close(own).onErrorComplete().then(close(connection));
  }

  private static void after(Duration delay, Runnable task) {
    ReliableScheduler.PARALLEL.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** One piece of work, from the request for its connection until that is returned. */
  private final class Use<T> extends BaseSubscriber<Connection> {

    private final MonoSink<T> sink;
    private final R2dbcDialect dialect;
    private final boolean inTransaction;
    private final Function<Connection, Mono<T>> work;

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    /** The pool that counts this; null if there is none, or if this has left it. */
    private final AtomicReference<@Nullable OwnPool> entered = new AtomicReference<>();

    /** Written once, by the thread that cancels. */
    private volatile boolean cancelled;

    /** Whether a rollback failed, so that the state of the connection is unknown. */
    private volatile boolean unclear;

    /** Written when it arrives, before any work. */
    private volatile @Nullable Connection connection;

    Use(
        MonoSink<T> sink,
        R2dbcDialect dialect,
        boolean inTransaction,
        Function<Connection, Mono<T>> work) {
      this.sink = sink;
      this.dialect = dialect;
      this.inTransaction = inTransaction;
      this.work = work;
    }

    void begin() {
      sink.onCancel(this::leaveAsSoonAsPossible);
      int hanging = hung.size();
      if (hanging >= MOST_HUNG) {
        sink.error(new HungConnectionsException(hanging));
      } else {
        execute(this::acquire);
      }
    }

    /** Calls the driver. A task is never disposed of: that could interrupt it in the database. */
    private void execute(Runnable task) {
      if (dialect.isBlocking()) {
        ReliableScheduler.of(Schedulers.boundedElastic()).schedule(task);
      } else {
        task.run();
      }
    }

    private void acquire() {
      OwnPool pool = size > 0 && !dialect.isBlocking() ? enterPool(dialect) : null;
      entered.set(pool);
      if (cancelled) {
        leave();
      } else {
        (pool == null ? OwnPool.open(source(dialect)) : pool.acquire()).subscribe(this);
      }
    }

    @Override
    public Context currentContext() {
      return Context.of(sink.contextView());
    }

    /** The source hears of no cancel after this: a pool would take the connection back. */
    @Override
    protected void hookOnNext(Connection arrived) {
      connection = arrived;
      boolean wanted = stage.compareAndSet(Stage.WAITING, Stage.WORKING);
      try {
        execute(wanted ? this::start : () -> settle(close(arrived), () -> {}));
      } catch (RejectedExecutionException refused) {
        end(Signal.error(refused));
      }
    }

    @Override
    protected void hookOnError(Throwable failure) {
      if (stage.compareAndSet(Stage.WAITING, Stage.ENDED)) {
        emit(Signal.error(failure));
      }
    }

    private void start() {
      if (cancelled) {
        end(Signal.complete());
      } else {
        Mono.defer(() -> run(Objects.requireNonNull(connection)))
            .materialize()
            .contextWrite(currentContext())
            .subscribe(this::end);
      }
    }

    /**
     * Runs the work. The connection must be in autocommit. In a transaction of the application, the
     * commit could fail to happen, and the same values would be issued again. Switching autocommit
     * on could then commit the application's statements.
     */
    private Mono<T> run(Connection on) {
      if (!on.isAutoCommit()) {
        return Mono.error(
            new IllegalStateException(
                "the connection for a sequence is not in autocommit, or is in a transaction that"
                    + " the store did not begin; use a separate ConnectionFactory for the store"));
      }
      Connection own = driversOwn(on);
      Mono<Void> preparation =
          prepared.add(own)
              ? dialect.prepare(on).doOnError(failure -> prepared.remove(own))
              : Mono.empty();
      return preparation.then(Mono.defer(() -> inTransaction ? transact(on) : work.apply(on)));
    }

    /**
     * Commits after the work's result, and rolls back after its failure or a cancel. A transaction
     * whose begin failed may have begun nevertheless.
     */
    private Mono<T> transact(Connection on) {
      return Mono.<Void>defer(() -> Mono.from(on.beginTransaction()))
          .onErrorResume(failure -> rollback(on, failure))
          .then(
              Mono.defer(() -> work.apply(on))
                  .switchIfEmpty(
                      Mono.error(() -> new IllegalStateException("the work emitted no result")))
                  .onErrorResume(failure -> rollback(on, failure))
                  .flatMap(result -> commit(on, result)));
    }

    private Mono<T> commit(Connection on, T result) {
      return cancelled
          ? rollback(on, new CancellationException("the subscriber has cancelled the transaction"))
          : Mono.<Void>defer(() -> Mono.from(on.commitTransaction()))
              .onErrorResume(
                  failure -> on.isAutoCommit() ? Mono.error(failure) : rollback(on, failure))
              .thenReturn(result);
    }

    private <R> Mono<R> rollback(Connection on, Throwable reason) {
      return Mono.<Void>defer(() -> Mono.from(on.rollbackTransaction()))
          .onErrorResume(
              failure -> {
                LOGGER.debug("A rollback failed; the connection is closed", failure);
                unclear = true;
                return Mono.empty();
              })
          .then(Mono.error(reason));
    }

    private void end(Signal<T> result) {
      if (!stage.compareAndSet(Stage.WORKING, Stage.ENDED)) {
        hung.remove(this);
        if (!dialect.isBlocking()) {
          return;
        }
      }
      Connection used = Objects.requireNonNull(connection);
      Throwable failure = result.getThrowable();
      boolean isAtFault = unclear || (failure != null && shouldEvict(failure));
      boolean isDiscarded = isAtFault && !retirePool();
      Mono<Void> closed = (isDiscarded ? discard(used) : close(used)).cache();
      settle(closed, () -> {});
      settle(closed.timeout(CLOSE_TIMEOUT, Mono.empty()), () -> emit(result));
    }

    private boolean shouldEvict(Throwable failure) {
      ErrorCategory kind = Failures.kind(dialect, failure);
      return dialect.shouldEvict(kind) && !(kind == ErrorCategory.OTHER && isOfWork(failure));
    }

    private static boolean isOfWork(Throwable failure) {
      return failure instanceof SequenceException
          || failure instanceof GroupFailedException
          || failure instanceof WorkFailure
          || GroupPhase.isMisuse(failure);
    }

    private void settle(Mono<Void> returned, Runnable then) {
      returned
          .doOnError(failure -> LOGGER.debug("A connection could not be returned", failure))
          .onErrorComplete()
          .contextWrite(currentContext())
          .subscribe(null, null, then);
    }

    /** Leaves the pool last: the next piece of work, which may begin in the signal, keeps it. */
    private void emit(Signal<T> result) {
      Throwable failure = result.getThrowable();
      try {
        if (failure == null) {
          sink.success(result.get());
        } else if (cancelled) {
          LOGGER.debug("Failed after the subscriber had cancelled", failure);
        } else {
          sink.error(failure);
        }
      } finally {
        leave();
      }
    }

    private void leaveAsSoonAsPossible() {
      cancelled = true;
      if (stage.compareAndSet(Stage.WAITING, Stage.ENDED)) {
        dispose();
        OwnPool pool = entered.getAndSet(null);
        if (pool != null) {
          pool.withdraw();
        }
      } else if (stage.get() == Stage.WORKING) {
        after(GRACE, this::hang);
      }
    }

    /** Closes the connection of work that does not end. Most drivers then fail the work. */
    private void hang() {
      hung.add(this);
      if (!stage.compareAndSet(Stage.WORKING, Stage.HUNG)) {
        hung.remove(this);
        return;
      }
      if (dialect.isBlocking()) {
        return;
      }
      LOGGER.warn("Cancelled work on a connection did not end: the connection is closed");
      after(ASSUMED_CLOSED_AFTER, () -> hung.remove(this));
      retirePool();
      settle(discard(Objects.requireNonNull(connection)), () -> hung.remove(this));
      leave();
    }

    /** Retires the own pool, which closes a connection that is returned; false if there is none. */
    private boolean retirePool() {
      OwnPool pool = entered.get();
      if (pool != null) {
        pool.retire();
      }
      return pool != null;
    }

    private void leave() {
      OwnPool pool = entered.getAndSet(null);
      if (pool != null) {
        pool.leave();
      }
    }
  }
}
