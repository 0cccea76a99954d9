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
 * Asks a driver for a connection at each subscription, and has Spanner's roll back quietly.
 *
 * <p>R2DBC wants {@code ConnectionFactory.create()} to give every subscriber a connection of its
 * own. The publisher of {@code cloud-spanner-r2dbc} gives all its subscribers the one connection
 * that was made when {@code create()} was called. A pool calls {@code create()} once and subscribes
 * to what it got for each connection, so that all connections of the pool are one, and all
 * transactions too. Put this between such a driver and the pool:
 *
 * <pre>{@code
 * ConnectionFactory connections =
 *     new ConnectionPool(
 *         ConnectionPoolConfiguration.builder(UnsharedConnectionFactory.over(driver)).build());
 * }</pre>
 *
 * <p>Over Cloud Spanner, {@code rollbackTransaction()} completes also if the transaction has ended
 * already, as an aborted one has. The driver alone answers with an {@code IllegalStateException},
 * which Spring's transaction manager passes on in place of the abort. {@code Wrapped.unwrap} of a
 * connection leads to the driver's own.
 *
 * <p>It changes nothing else, and does no harm over a driver that needs it not.
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
   * Gives each subscription a connection of its own. The driver is asked at subscription, and its
   * thread delivers; a cancel reaches it.
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
   * Returns what the driver says of itself.
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
   * Closes the driver's factory, if it is {@link Closeable}, on its thread. Nothing happens before
   * subscription.
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
