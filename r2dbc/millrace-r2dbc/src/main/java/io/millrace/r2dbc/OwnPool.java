package io.millrace.r2dbc;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A small pool over a driver's factory. It is opened when it is needed, and replaced as a whole
 * after a fault: a network or a failover that broke one connection broke the others, too.
 */
final class OwnPool {

  /**
   * How long a retired pool is kept, for requests and connections that are on their way into it.
   * Work may continue as long after a cancel before its connection is closed.
   */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** How long opening a connection may take: a server may accept one and never answer. */
  private static final Duration MOST_TO_OPEN = Duration.ofMinutes(1);

  private static final int MOST_LAYERS = 10;

  private final int size;

  /** For how long a pool is kept without use, and at most for twice this time. */
  private final Duration idle;

  /** The pool for new requests; null if there is none yet, or if the last one is retired. */
  private final AtomicReference<@Nullable ConnectionPool> current = new AtomicReference<>();

  /** Set by each request for a connection, and cleared by the timer of the pool. */
  private volatile boolean used;

  private OwnPool(int size, Duration idle) {
    this.size = size;
    this.idle = idle;
  }

  static OwnPool ofStore() {
    return new OwnPool(4, Duration.ofSeconds(30));
  }

  /** A pipeline limits its work itself; this protects the server from many pipelines at once. */
  static OwnPool ofInserts() {
    return new OwnPool(32, Duration.ofSeconds(1));
  }

  /**
   * An object and the objects that it wraps, the outermost first: at most 10 layers, since a
   * wrapper may unwrap to itself, up to one that wraps nothing of the type or does not reveal what
   * it wraps.
   */
  static <T> List<T> layers(T outermost, Class<T> type) {
    List<T> layers = new ArrayList<>();
    Object layer = outermost;
    while (type.isInstance(layer) && layers.size() < MOST_LAYERS) {
      layers.add(type.cast(layer));
      layer = layer instanceof Wrapped<?> wrapper ? wrapper.unwrap() : null;
    }
    return layers;
  }

  /** The driver's connection. */
  static Connection unwrapped(Connection connection) {
    List<Connection> layers = layers(connection, Connection.class);
    return layers.get(layers.size() - 1);
  }

  /** The pool to ask for a connection. A retired one ends requests that still wait in it. */
  ConnectionPool get(Supplier<ConnectionFactory> source) {
    ConnectionPool pool = current.get();
    while (pool == null) {
      ConnectionPool next = open(source.get());
      if (current.compareAndSet(null, next)) {
        retireWhenIdle(next);
      }
      pool = current.get();
    }
    used = true;
    return pool;
  }

  private ConnectionPool open(ConnectionFactory source) {
    List<ConnectionFactory> layers = layers(source, ConnectionFactory.class);
    Package driver = layers.get(layers.size() - 1).getClass().getPackage();
    AtomicReference<@Nullable ConnectionPool> opened = new AtomicReference<>();
    ConnectionPool pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(new OnePerSubscriber(source))
                .initialSize(0)
                .maxSize(size)
                .acquireRetry(0)
                .maxCreateConnectionTime(MOST_TO_OPEN)
                .backgroundEvictionInterval(Duration.ZERO)
                .customizer(
                    builder ->
                        builder.evictionPredicate(
                            (each, use) ->
                                current.get() != opened.get() || !isReusable(each, driver)))
                .build());
    opened.set(pool);
    return pool;
  }

  /**
   * Whether a connection is open and comes from a driver itself. A factory that chooses its
   * database by the subscriber's context may choose another one next time.
   */
  private static boolean isReusable(Connection pooled, Package driver) {
    Connection connection = unwrapped(pooled);
    return connection.getClass().getPackage() == driver
        && Mono.defer(() -> Mono.from(connection.validate(ValidationDepth.LOCAL)))
            .onErrorReturn(false)
            .toFuture()
            .getNow(true);
  }

  /** Calls the source for each connection, whose password may change. A pool calls it once. */
  record OnePerSubscriber(ConnectionFactory source) implements ConnectionFactory {

    @Override
    public Mono<Connection> create() {
      return Mono.<Connection>defer(() -> Mono.from(source.create()))
          .switchIfEmpty(
              Mono.error(
                  () -> new IllegalStateException("the source of connections emitted none")));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return source.getMetadata();
    }
  }

  /** Makes the next request open another pool. This one is kept a while for those on their way. */
  void retire(ConnectionPool pool) {
    if (current.compareAndSet(pool, null)) {
      dispose(pool, GRACE).onErrorComplete().subscribe(); // a close may fail as the others did
    }
  }

  /** Takes the pool out of use, if there is one, and closes it when the result is subscribed to. */
  Mono<Void> close() {
    ConnectionPool pool = current.getAndSet(null);
    return pool == null ? Mono.empty() : dispose(pool, isInUse(pool) ? GRACE : Duration.ZERO);
  }

  private static Mono<Void> dispose(ConnectionPool pool, Duration delay) {
    return Mono.delay(delay, Schedulers.parallel()).then(pool.disposeLater());
  }

  /**
   * Whether a cancel, which may be a time-out, can mean that other connections are dead, too: those
   * that are idle beside the cancelled work, or those that are being opened if there are no others.
   */
  static boolean mayBeDead(ConnectionPool pool) {
    return metrics(pool).idleSize() > 0 || metrics(pool).acquiredSize() == 0;
  }

  /** Whether a connection is in use, or being opened. */
  private static boolean isInUse(ConnectionPool pool) {
    return metrics(pool).allocatedSize() > metrics(pool).idleSize();
  }

  private static PoolMetrics metrics(ConnectionPool pool) {
    return pool.getMetrics().orElseThrow();
  }

  private void retireWhenIdle(ConnectionPool pool) {
    used = false;
    Schedulers.parallel()
        .schedule(
            () -> {
              if (!used && !isInUse(pool)) {
                retire(pool);
              } else if (current.get() == pool) {
                retireWhenIdle(pool);
              }
            },
            idle.toMillis(),
            TimeUnit.MILLISECONDS);
  }
}
