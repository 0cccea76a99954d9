package io.millrace.r2dbc;

import io.millrace.internal.ReliableScheduler;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A small pool over a factory, which is used until it is retired. It then takes back no connection,
 * and its last user closes it.
 *
 * <p>Invariant: whoever waits for a connection or uses one is counted. The pool is disposed of
 * once, when it is retired and nobody is counted, so it never ends while a request waits.
 */
final class OwnPool {

  private static final Logger LOGGER = Loggers.getLogger(OwnPool.class);

  private static final int RETIRED = Integer.MIN_VALUE;

  /** How long opening a connection may take: a server may accept one and never answer. */
  private static final Duration MOST_TO_OPEN = Duration.ofMinutes(1);

  /** The number of users, plus {@link #RETIRED}. */
  private final AtomicInteger users = new AtomicInteger();

  private final ConnectionPool pool;
  private final Package driver;
  private final Duration idle;
  private final Sinks.Empty<Void> closed = Sinks.empty();

  /** Set by each user, and cleared by the timer. */
  private volatile boolean used;

  /**
   * @param idle for how long the pool is kept without use, and at most for twice this time; zero if
   *     its last user retires it
   */
  OwnPool(ConnectionFactory factory, int size, Duration idle) {
    this.idle = idle;
    this.driver = Unwrap.innermost(factory, ConnectionFactory.class).getClass().getPackage();
    this.pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(new EachItsOwn(factory))
                .initialSize(0)
                .maxSize(size)
                .acquireRetry(0)
                .maxCreateConnectionTime(MOST_TO_OPEN)
                .backgroundEvictionInterval(Duration.ZERO)
                .customizer(
                    builder ->
                        builder.evictionPredicate(
                            (connection, use) -> users.get() < 0 || !isReusable(connection)))
                .build());
  }

  /** Opens a connection at each subscription. */
  static Mono<Connection> open(ConnectionFactory factory) {
    return Mono.<Connection>defer(() -> Mono.from(factory.create()))
        .switchIfEmpty(
            Mono.error(() -> new IllegalStateException("the source of connections emitted none")));
  }

  /** A pool asks once for a publisher of all its connections. */
  private record EachItsOwn(ConnectionFactory factory) implements ConnectionFactory {

    @Override
    public Mono<Connection> create() {
      return open(factory);
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return factory.getMetadata();
    }
  }

  /**
   * Whether a connection is open and comes from a driver itself. A factory that chooses its
   * database by the subscriber's context may choose another one next time.
   */
  private boolean isReusable(Connection connection) {
    return Unwrap.innermost(connection, Connection.class).getClass().getPackage() == driver
        && Mono.defer(() -> Mono.from(connection.validate(ValidationDepth.LOCAL)))
            .onErrorReturn(false)
            .toFuture()
            .getNow(true);
  }

  /** Counts a user; false if the pool is retired. */
  boolean enter() {
    used = true;
    return users.getAndUpdate(count -> count < 0 ? count : count + 1) >= 0;
  }

  Mono<Connection> acquire() {
    return pool.create();
  }

  void leave() {
    int left = users.decrementAndGet();
    if (left == RETIRED) {
      dispose();
    } else if (left == 0 && idle.isZero()) {
      retireIfUnused();
    }
  }

  /** Leaves without a connection. One that is being opened may never come. */
  void withdraw() {
    PoolMetrics metrics = pool.getMetrics().orElseThrow();
    if (metrics.acquiredSize() == 0 && metrics.idleSize() == 0) {
      retire();
    }
    leave();
  }

  void retire() {
    if (users.getAndUpdate(count -> count | RETIRED) == 0) {
      dispose();
    }
  }

  private boolean retireIfUnused() {
    boolean unused = users.compareAndSet(0, RETIRED);
    if (unused) {
      dispose();
    }
    return unused;
  }

  void closeWhenIdle() {
    if (!idle.isZero()) {
      used = false;
      ReliableScheduler.PARALLEL.schedule(this::closeIfIdle, idle.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void closeIfIdle() {
    boolean isClosed = users.get() < 0 || (!used && retireIfUnused());
    if (!isClosed) {
      closeWhenIdle();
    }
  }

  /** Retires the pool, and completes when it is closed. */
  Mono<Void> close() {
    retire();
    return closed.asMono();
  }

  private void dispose() {
    pool.disposeLater()
        .doOnError(failure -> LOGGER.debug("An idle connection could not be closed", failure))
        .onErrorComplete()
        .subscribe(null, null, closed::tryEmitEmpty);
  }
}
