package io.millrace.spring;

import io.millrace.r2dbc.UnsharedConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.springframework.util.ClassUtils;

/**
 * The source of the store's connections. It is not a {@code ConnectionFactory} itself, because a
 * second bean of that type would compete with the application's.
 *
 * <p>An open transaction may wait for a reservation, so a reservation must not wait for the
 * connection of a transaction.
 */
record StoreConnections(ConnectionFactory factory, Runnable closing) {

  /** A name and not a class literal, because the class may be missing. */
  static final String POOL = "io.r2dbc.pool.ConnectionPool";

  /** Time after which an idle connection is closed; reservations are rare. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** Time after which the pool's check of a connection counts as failed. */
  private static final Duration VALIDATION = Duration.ofSeconds(1);

  /** Connections of a factory that only the store uses. */
  static StoreConnections dedicated(ConnectionFactory factory) {
    return new StoreConnections(factory, () -> {});
  }

  /**
   * Connections to the application's database that are separate from its pool. The driver beneath
   * that pool makes them, and they are kept in a pool of their own if r2dbc-pool is there.
   *
   * @param connecting time limit for making a connection. Without a limit, a server that accepts
   *     connections and never answers would occupy one of the pool's connections forever
   * @throws IllegalArgumentException if the size is below 1
   */
  static StoreConnections separateFrom(
      ConnectionFactory application, int maxSize, Duration connecting) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("the pool has at least 1 connection, was " + maxSize);
    }
    if (!ClassUtils.isPresent(POOL, null)) {
      return dedicated(unshared(application));
    }
    return Pooled.over(unshared(Pooled.beneathPool(application)), maxSize, connecting);
  }

  private static ConnectionFactory unshared(ConnectionFactory driver) {
    return SpannerSql.isSpanner(driver) ? UnsharedConnectionFactory.over(driver) : driver;
  }

  void close() {
    closing.run();
  }

  /** The code that needs r2dbc-pool. */
  private static final class Pooled {

    private Pooled() {}

    /** The source of the outermost pool's connections; the factory itself if there is no pool. */
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
