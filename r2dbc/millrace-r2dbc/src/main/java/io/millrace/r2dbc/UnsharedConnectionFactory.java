package io.millrace.r2dbc;

import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Requests a new connection from the driver for each subscription. Over Spanner's driver it also
 * makes a rollback succeed if the transaction has already ended.
 *
 * <p>R2DBC requires the publisher of {@code ConnectionFactory.create()} to emit a separate
 * connection to each subscriber. The publisher of {@code cloud-spanner-r2dbc} emits the one
 * connection that was created by the call of {@code create()} to all subscribers. A pool calls
 * {@code create()} once and subscribes to the publisher for each connection, so all pooled
 * connections, and all their transactions, are the same. Put this factory between such a driver and
 * the pool:
 *
 * <pre>{@code
 * ConnectionFactory connections =
 *     new ConnectionPool(
 *         ConnectionPoolConfiguration.builder(UnsharedConnectionFactory.over(driver)).build());
 * }</pre>
 *
 * <p>Over Cloud Spanner, {@code rollbackTransaction()} also completes if the transaction has
 * already ended, for example because it was aborted. The driver fails with an {@code
 * IllegalStateException} instead, which Spring's transaction manager reports in place of the abort.
 * {@code Wrapped.unwrap} returns the driver's connection.
 *
 * <p>The factory changes nothing else, and is harmless over a driver that does not need it.
 */
public final class UnsharedConnectionFactory
    implements ConnectionFactory, Wrapped<ConnectionFactory>, Closeable {

  private static final String SPANNER = "Cloud Spanner";

  private final ConnectionFactory driver;

  private UnsharedConnectionFactory(ConnectionFactory driver) {
    this.driver = Objects.requireNonNull(driver, "driver");
  }

  /**
   * Wraps a driver's factory.
   *
   * @param driver the factory whose publishers share a connection
   * @return a factory whose publishers emit a connection per subscriber
   */
  public static UnsharedConnectionFactory over(ConnectionFactory driver) {
    return new UnsharedConnectionFactory(driver);
  }

  /**
   * Emits a new connection to each subscriber. The driver is called at subscription, delivers on
   * its thread, and receives a cancellation.
   *
   * @return a cold publisher of one connection, which the subscriber must close
   */
  @Override
  public Publisher<? extends Connection> create() {
    return Mono.defer(() -> Mono.<Connection>from(driver.create())).map(this::lenient);
  }

  private Connection lenient(Connection connection) {
    return getMetadata().getName().equals(SPANNER) ? new LenientRollback(connection) : connection;
  }

  /** Returns the driver's metadata. */
  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return driver.getMetadata();
  }

  /** Returns the driver's factory. */
  @Override
  public ConnectionFactory unwrap() {
    return driver;
  }

  /**
   * Closes the driver's factory if it is {@link Closeable}. Nothing happens before subscription.
   *
   * @return completes when the driver is closed, on its thread, or at once if it is not closeable.
   *     Errors: those of the driver
   */
  @Override
  public Publisher<Void> close() {
    return driver instanceof Closeable closeable
        ? Mono.defer(() -> Mono.from(closeable.close()))
        : Mono.empty();
  }

  @Override
  public String toString() {
    return "UnsharedConnectionFactory(" + driver + ")";
  }
}
