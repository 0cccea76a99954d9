package io.millrace.spring.boot;

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

  /** Connections of a factory that only the store uses. */
  static StoreConnections dedicated(ConnectionFactory factory) {
    return new StoreConnections(factory, () -> {});
  }

  /**
   * Connections to the application's database that are separate from its pool. The driver beneath
   * that pool opens them. They are kept in a separate pool if r2dbc-pool is present.
   *
   * @param properties the size and the times of the pool
   * @param connecting time limit for making a connection. Without a limit, a server that accepts
   *     connections and never answers would occupy one of the pool's connections forever
   * @throws
   *     org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
   *     if a property is out of range
   */
  static StoreConnections separateFrom(
      ConnectionFactory application, MillraceProperties.Pool properties, Duration connecting) {
    properties.check();
    if (!ClassUtils.isPresent(POOL, null)) {
      return dedicated(application);
    }
    return Pooled.over(Pooled.beneathPool(application), properties, connecting);
  }

  void close() {
    closing.run();
  }

  /** The code that needs r2dbc-pool. */
  static final class Pooled {

    /** For r2dbc-pool, a negative time is no limit. */
    private static final Duration NO_LIMIT = Duration.ofMillis(-1);

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

    static StoreConnections over(
        ConnectionFactory driver, MillraceProperties.Pool properties, Duration connecting) {
      ConnectionPool pool = new ConnectionPool(configuration(driver, properties, connecting));
      return new StoreConnections(pool, pool::dispose);
    }

    static ConnectionPoolConfiguration configuration(
        ConnectionFactory driver, MillraceProperties.Pool properties, Duration connecting) {
      Duration maxLifeTime = properties.maxLifeTime();
      return ConnectionPoolConfiguration.builder(driver)
          .initialSize(0)
          .maxSize(properties.maxSize())
          .maxIdleTime(IDLE)
          .maxLifeTime(maxLifeTime.isZero() ? NO_LIMIT : maxLifeTime)
          .maxCreateConnectionTime(connecting)
          .validationDepth(properties.validationDepth())
          .maxValidationTime(properties.maxValidationTime())
          .build();
    }
  }
}
