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
 * Asks a driver for a new connection at each subscription. Over Spanner's driver it also makes a
 * rollback succeed if the transaction has already ended.
 *
 * <p>R2DBC requires that the publisher of {@code ConnectionFactory.create()} gives every subscriber
 * its own connection. The publisher of {@code cloud-spanner-r2dbc} gives all its subscribers the
 * one connection that was made when {@code create()} was called. A pool calls {@code create()} once
 * and subscribes to the publisher for each connection. All connections of the pool are then the
 * same one, and so are all transactions. Put this factory between such a driver and the pool:
 *
 * <pre>{@code
 * ConnectionFactory connections =
 *     new ConnectionPool(
 *         ConnectionPoolConfiguration.builder(UnsharedConnectionFactory.over(driver)).build());
 * }</pre>
 *
 * <p>Over Cloud Spanner, {@code rollbackTransaction()} completes also if the transaction has
 * already ended, for example because it was aborted. The driver alone answers with an {@code
 * IllegalStateException}, which Spring's transaction manager reports instead of the abort. {@code
 * Wrapped.unwrap} of a connection gives the driver's own connection.
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
   * @param driver the factory whose publishers share their connection
   * @return a factory whose publishers do not
   */
  public static UnsharedConnectionFactory over(ConnectionFactory driver) {
    return new UnsharedConnectionFactory(driver);
  }

  /**
   * Gives each subscription its own connection. The driver is called at subscription, delivers on
   * its thread, and receives a cancel.
   *
   * @return a cold publisher of one connection, which the subscriber has to close
   */
  @Override
  public Publisher<? extends Connection> create() {
    return Mono.defer(() -> Mono.<Connection>from(driver.create())).map(this::lenient);
  }

  private Connection lenient(Connection connection) {
    return getMetadata().getName().equals(SPANNER) ? new LenientRollback(connection) : connection;
  }

  /**
   * Returns the driver's metadata.
   *
   * @return the driver's metadata
   */
  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return driver.getMetadata();
  }

  /**
   * Returns the driver's factory.
   *
   * @return what was wrapped
   */
  @Override
  public ConnectionFactory unwrap() {
    return driver;
  }

  /**
   * Closes the driver's factory if it is {@link Closeable}. The driver delivers on its thread.
   * Nothing happens before subscription.
   *
   * @return completes when the driver is closed, or at once. Errors: the driver's
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
