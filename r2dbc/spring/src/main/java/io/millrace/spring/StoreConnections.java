package io.millrace.spring;

import io.millrace.r2dbc.UnsharedConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.springframework.util.ClassUtils;

/**
 * Where the store has its connections from. Not a {@code ConnectionFactory} itself: the application
 * has one bean of that type, and it is not this one.
 *
 * <p>A reservation may be what an open transaction waits for, so it must not have to wait for the
 * connection of one.
 */
record StoreConnections(ConnectionFactory factory, Runnable closing) {

  /** Time after which an idle connection is closed: reservations are few and far between. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** Time after which the pool's own check of a connection has failed. */
  private static final Duration VALIDATION = Duration.ofSeconds(1);

  /** Connections of a factory that is for the store alone. */
  static StoreConnections given(ConnectionFactory factory) {
    return new StoreConnections(factory, () -> {});
  }

  /**
   * Connections of the application's database, and apart from its pool: made by the driver that is
   * beneath it, and kept in a pool of their own where that can be.
   *
   * @param connecting time after which a connection that is being made is given up: a server that
   *     accepts and never answers would hold its place in the pool for ever
   * @throws IllegalArgumentException if the size is below 1
   */
  static StoreConnections beside(ConnectionFactory application, int maxSize, Duration connecting) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("the pool has at least 1 connection, was " + maxSize);
    }
    if (!ClassUtils.isPresent("io.r2dbc.pool.ConnectionPool", null)) {
      return given(unshared(application));
    }
    return Pooled.over(unshared(Pooled.beneathPool(application)), maxSize, connecting);
  }

  private static ConnectionFactory unshared(ConnectionFactory driver) {
    return SpannerSql.speaks(driver) ? UnsharedConnectionFactory.over(driver) : driver;
  }

  void close() {
    closing.run();
  }

  /** What needs r2dbc-pool. */
  private static final class Pooled {

    private Pooled() {}

    /** What the outermost pool gets its connections from; the factory itself if there is none. */
    static ConnectionFactory beneathPool(ConnectionFactory factory) {
      Object layer = factory;
      while (layer instanceof Wrapped<?> wrapper) {
        layer = wrapper.unwrap();
        if (wrapper instanceof ConnectionPool && layer instanceof ConnectionFactory driver) {
          return driver;
        }
      }
      return factory;
    }

    static StoreConnections over(ConnectionFactory driver, int maxSize, Duration connecting) {
      ConnectionPool pool =
          new ConnectionPool(
              ConnectionPoolConfiguration.builder(driver)
                  .initialSize(0)
                  .maxSize(maxSize)
                  .maxIdleTime(IDLE)
                  .maxCreateConnectionTime(connecting)
                  .maxValidationTime(VALIDATION)
                  .build());
      return new StoreConnections(pool, pool::dispose);
    }
  }
}
