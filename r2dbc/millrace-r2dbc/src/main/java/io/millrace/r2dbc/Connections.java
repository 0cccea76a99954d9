package io.millrace.r2dbc;

import io.millrace.internal.Threads;
import io.millrace.r2dbc.OwnPool.OnePerSubscriber;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.pool.PoolShutdownException;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Acquires a connection for each piece of work, and returns it once.
 *
 * <p><b>Pools.</b> A store or a writer has a small {@linkplain OwnPool pool of its own} over a
 * driver's factory. A {@link ConnectionPool} of the application is used as it is.
 *
 * <p><b>Faults.</b> After a failure that may be the connection's, a failed rollback, or work that
 * does not end after its cancel, the driver's connection is closed, and a pool replaces it. A pool
 * of its own is retired as a whole.
 *
 * <p><b>Cancels.</b> A cancel withdraws the request for a connection. Work that has begun is never
 * cut off, because the state of its connection would be unknown: the cancel sets a flag, which is
 * read before a commit. A driver that blocks runs the database on the calling thread, so its work
 * is waited for.
 */
final class Connections {

  /**
   * Requests are refused while this many connections hang. A connection hangs if its work did not
   * end after a cancel, until the connection is closed, or for a minute.
   */
  static final int MOST_HUNG = 4;

  /** How long a result or a close waits for a connection to close. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** A connection that hangs counts as closed after this time, even without an answer. */
  private static final Duration ASSUMED_CLOSED_AFTER = Duration.ofMinutes(1);

  private static final Logger LOGGER = Loggers.getLogger(Connections.class);

  private enum Stage {
    /** Asking for a connection. */
    WAITING,
    WORKING,
    /** The connection is being closed, or waited for if the driver blocks. */
    HUNG,
    ENDED
  }

  private final ConnectionFactory factory;

  /** Whether the factory leads to a pool of the application. */
  private final boolean isPool;

  /** Null if the factory is used as it is. */
  private final @Nullable OwnPool own;

  /** How many connections hang. */
  final AtomicInteger hung = new AtomicInteger();

  /** The driver's connections that their dialect has prepared. */
  private final Set<Connection> prepared =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private Connections(ConnectionFactory factory, @Nullable OwnPool own) {
    this.isPool =
        OwnPool.layers(factory, ConnectionFactory.class).stream()
            .anyMatch(ConnectionPool.class::isInstance);
    this.factory = factory;
    this.own = isPool ? null : own;
  }

  /** Uses a factory as it is. */
  static Connections of(ConnectionFactory factory) {
    return new Connections(factory, null);
  }

  /** Uses a small pool over a factory, or the factory itself if it leads to a pool. */
  static Connections ofStore(ConnectionFactory factory) {
    return new Connections(factory, OwnPool.ofStore());
  }

  /**
   * The same for pipelines, which nobody disposes of: the pool is kept while they have work. A
   * factory that wraps another is used as it is, because it may prepare each connection for the
   * Context of its subscriber, such as a tenant's.
   */
  static Connections ofInserts(ConnectionFactory factory) {
    return OwnPool.layers(factory, ConnectionFactory.class).size() > 1
        ? of(factory)
        : new Connections(factory, OwnPool.ofInserts());
  }

  /** Runs work on a connection in autocommit, when subscribed to. */
  <T> Mono<T> use(R2dbcDialect dialect, Function<Connection, Mono<T>> work) {
    return Mono.defer(() -> new Use(dialect).run(work));
  }

  /** Runs work in a new transaction, and commits after its result. */
  <T> Mono<T> useInTransaction(R2dbcDialect dialect, Function<Connection, Mono<T>> work) {
    return Mono.defer(
        () -> {
          Use use = new Use(dialect);
          return use.run(connection -> use.transact(connection, work));
        });
  }

  /** Closes the own pool, if there is one. Completes when it is closed, or soon. */
  Mono<Void> closePool() {
    return own == null ? Mono.empty() : Mono.defer(() -> soon(started(own::close)));
  }

  private static Mono<Void> call(Supplier<? extends Publisher<Void>> call) {
    return Mono.defer(() -> Mono.from(call.get()));
  }

  /**
   * Starts a close, which goes on if nobody waits for it. The result is signalled after the call
   * that starts the close, not during it: until that call returns, a pool may destroy the
   * connection.
   */
  private static Mono<Void> started(Supplier<? extends Publisher<Void>> close) {
    Mono<Void> closed =
        call(close)
            .doOnError(failure -> LOGGER.debug("A connection could not be closed", failure))
            .onErrorComplete()
            .cache();
    closed.subscribe();
    return closed;
  }

  private static Mono<Void> soon(Mono<Void> closed) {
    return closed.timeout(CLOSE_TIMEOUT, Mono.empty());
  }

  /** One piece of work, from the request for its connection until that is returned. */
  private final class Use {

    private final R2dbcDialect dialect;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    /** Emits when the request for a connection is withdrawn. */
    private final Sinks.Empty<Void> withdrawn = Sinks.empty();

    /** The own pool that was asked last; null if there is none. */
    private volatile @Nullable ConnectionPool pool;

    /** Written when it arrives, before any work. */
    private volatile @Nullable Connection connection;

    /** Written once, by the thread that cancels. */
    private volatile boolean cancelled;

    /** Whether a rollback failed, so that the state of the connection is unknown. */
    private volatile boolean unclear;

    Use(R2dbcDialect dialect) {
      this.dialect = dialect;
    }

    /** Runs work, which a cancel of the result does not reach. */
    <T> Mono<T> run(Function<Connection, Mono<T>> work) {
      int hanging = hung.get();
      return hanging >= MOST_HUNG
          ? Mono.error(new HungConnectionsException(hanging))
          : Mono.deferContextual(
              context ->
                  Mono.usingWhen(
                          acquire(),
                          on -> onItsThread(Mono.defer(() -> workOn(on, work))),
                          on -> release(on, null),
                          this::release,
                          on -> release(on, null)) // never called: cache() stops cancels
                      .contextWrite(context)
                      .cache()
                      .doOnCancel(this::cancel));
    }

    /** Calls a driver that blocks on a thread that may block. A cancel does not interrupt it. */
    private <R> Mono<R> onItsThread(Mono<R> call) {
      return dialect.isBlocking() ? Threads.of(Schedulers.boundedElastic()).then(call) : call;
    }

    private Mono<Connection> acquire() {
      return onItsThread(Mono.defer(this::ask)).takeUntilOther(withdrawn.asMono());
    }

    private Mono<Connection> ask() {
      if (own == null || dialect.isBlocking()) {
        Mono<Connection> opened =
            new OnePerSubscriber(dialect.adapt(factory)).create().flatMap(this::claim);
        // Drivers leak a session if a login is cancelled.
        return isPool ? opened : opened.cache();
      }
      ConnectionPool asked = own.get(() -> dialect.adapt(factory));
      pool = asked;
      return asked
          .create()
          .flatMap(this::claim)
          .onErrorResume(PoolShutdownException.class, retired -> ask());
    }

    /**
     * Closes a connection that arrives after the request was withdrawn. Once it is claimed, a
     * cancel does not reach the source: a pool would take the connection back.
     */
    private Mono<Connection> claim(Connection arrived) {
      connection = arrived;
      return stage.compareAndSet(Stage.WAITING, Stage.WORKING)
          ? Mono.just(arrived)
          : soon(started(arrived::close)).then(Mono.empty());
    }

    /**
     * Runs the work on a connection in autocommit. In a transaction of the application, the commit
     * might never happen, and the same values would be issued again. Autocommit is not switched on,
     * because that could commit the application's statements.
     */
    private <T> Mono<T> workOn(Connection on, Function<Connection, Mono<T>> work) {
      if (cancelled) {
        return Mono.empty();
      }
      if (!on.isAutoCommit()) {
        return Mono.error(
            new IllegalStateException(
                "the connection for a sequence is not in autocommit, or is in a transaction that"
                    + " the store did not begin; use a separate ConnectionFactory for the store"));
      }
      Connection unwrapped = OwnPool.unwrapped(on);
      Mono<Void> preparation =
          prepared.add(unwrapped)
              ? call(() -> dialect.prepare(on)).doOnError(failure -> prepared.remove(unwrapped))
              : Mono.empty();
      return preparation.then(Mono.defer(() -> work.apply(on)));
    }

    /**
     * Commits after the work's result, and rolls back after its failure or a cancel. A transaction
     * whose begin failed may have begun nevertheless.
     */
    <T> Mono<T> transact(Connection on, Function<Connection, Mono<T>> work) {
      return call(on::beginTransaction)
          .then(Mono.defer(() -> work.apply(on)))
          .onErrorResume(failure -> rollback(on, failure))
          .flatMap(result -> commit(on).thenReturn(result));
    }

    private Mono<Void> commit(Connection on) {
      return cancelled
          ? rollback(on, new CancellationException("the subscriber has cancelled the transaction"))
          : call(on::commitTransaction)
              .onErrorResume(
                  failure -> on.isAutoCommit() ? Mono.error(failure) : rollback(on, failure));
    }

    private <R> Mono<R> rollback(Connection on, Throwable reason) {
      return call(on::rollbackTransaction)
          .onErrorResume(
              failure -> {
                LOGGER.debug("A rollback failed; the connection is closed", failure);
                unclear = true;
                return Mono.empty();
              })
          .then(Mono.error(reason));
    }

    private Mono<Void> release(Connection on, @Nullable Throwable failure) {
      if (!stage.compareAndSet(Stage.WORKING, Stage.ENDED)) {
        if (!dialect.isBlocking()) {
          return Mono.empty(); // is being closed
        }
        hung.decrementAndGet();
      }
      boolean isAtFault = unclear || (failure != null && Failures.shouldEvict(dialect, failure));
      if (isAtFault) {
        retirePool();
      }
      return soon(
          isAtFault && pool == null
              ? discard(on, started(OwnPool.unwrapped(on)::close))
              : started(on::close));
    }

    private void retirePool() {
      ConnectionPool asked = pool;
      if (own != null && asked != null) {
        own.retire(asked);
      }
    }

    /** Returns the dead connection to its pool when the driver's one is closed, or soon. */
    private static Mono<Void> discard(Connection on, Mono<Void> closed) {
      return OwnPool.unwrapped(on) == on
          ? closed
          : started(() -> soon(closed).then(call(on::close)));
    }

    /** Withdraws the request, or sets the flag. Operators also cancel what has ended. */
    private void cancel() {
      cancelled = true;
      if (stage.compareAndSet(Stage.WAITING, Stage.ENDED)) {
        withdrawn.tryEmitEmpty();
      } else if (stage.get() == Stage.WORKING) {
        Schedulers.parallel().schedule(this::hang, OwnPool.GRACE.toMillis(), TimeUnit.MILLISECONDS);
      } else {
        return;
      }
      if (pool != null && OwnPool.mayBeDead(pool)) {
        retirePool();
      }
    }

    /** Closes the connection of work that does not end. Most drivers then fail the work. */
    private void hang() {
      hung.incrementAndGet();
      Connection on = connection;
      if (on == null || !stage.compareAndSet(Stage.WORKING, Stage.HUNG)) {
        hung.decrementAndGet();
      } else if (!dialect.isBlocking()) {
        LOGGER.warn("Cancelled work on a connection did not end: the connection is closed");
        retirePool();
        Mono<Void> closed = started(OwnPool.unwrapped(on)::close);
        closed
            .timeout(ASSUMED_CLOSED_AFTER, Mono.empty())
            .doFinally(end -> hung.decrementAndGet())
            .subscribe();
        discard(on, closed).subscribe();
      }
    }
  }
}
