package io.millrace.spring.boot;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * The source of the store's connections. It is not a {@code ConnectionFactory} itself, because a
 * second bean of that type would compete with the application's.
 *
 * @param ownPool the factory, if it is closed with the application
 */
record StoreConnections(ConnectionFactory factory, @Nullable ConnectionPool ownPool)
    implements DisposableBean {

  private static final int SIZE = 4;

  /** Uses the marked factory as it is, or else the driver beneath the application's pool. */
  static StoreConnections of(
      @Nullable ConnectionFactory marked,
      @Nullable ConnectionFactory application,
      String[] candidates) {
    if (marked != null && marked == application) {
      throw new StartFailedException(
          "The ConnectionFactory that is marked @SequenceConnectionFactory is also the"
              + " application's.",
          "Mark another one, with @Bean(defaultCandidate = false).");
    }
    if (marked != null) {
      return new StoreConnections(marked, null);
    }
    if (application == null) {
      throw new StartFailedException(
          "Sequences are configured, and there are several beans of type ConnectionFactory: "
              + String.join(", ", candidates)
              + ".",
          "Mark the one of the counters with @SequenceConnectionFactory and"
              + " @Bean(defaultCandidate = false), or the application's with @Primary.");
    }
    return over(beneathPool(application));
  }

  /** A database in H2's memory ends with its last connection, so a pool keeps some. */
  private static StoreConnections over(ConnectionFactory driver) {
    if (!driver.getMetadata().getName().equals("H2")) {
      return new StoreConnections(driver, null);
    }
    ConnectionPool pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(driver)
                .initialSize(0)
                .maxSize(SIZE)
                .acquireRetry(SIZE) // each connection that is kept may be dead
                .build());
    return new StoreConnections(pool, pool);
  }

  /** An open transaction may wait for a reservation, which therefore needs other connections. */
  private static ConnectionFactory beneathPool(ConnectionFactory factory) {
    Object layer = factory;
    while (layer instanceof Wrapped<?> wrapper) {
      layer = wrapper.unwrap();
      if (wrapper instanceof ConnectionPool && layer instanceof ConnectionFactory driver) {
        return driver;
      }
    }
    return factory;
  }

  @Override
  public void destroy() {
    if (ownPool != null) {
      ownPool.dispose();
    }
  }
}
