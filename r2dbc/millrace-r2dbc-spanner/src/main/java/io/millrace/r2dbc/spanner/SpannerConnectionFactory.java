package io.millrace.r2dbc.spanner;

import com.google.cloud.spanner.r2dbc.statement.StatementParser;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The connections of Spanner's driver {@code cloud-spanner-r2dbc}, as R2DBC defines them. Put it
 * between the driver and a pool:
 *
 * <pre>{@code
 * ConnectionFactory connections =
 *     new ConnectionPool(
 *         ConnectionPoolConfiguration.builder(SpannerConnectionFactory.over(driver)).build());
 * }</pre>
 *
 * <ul>
 *   <li>Each subscriber gets a connection of its own. One publisher of the driver emits the same
 *       connection to all its subscribers, so all connections of a pool, and all their
 *       transactions, would be one.
 *   <li>{@code isAutoCommit()} is false in a transaction.
 *   <li>After a failed statement, the further statements of a read-write transaction fail, also
 *       those that are waiting: with the same failure if it may be transient, such as Spanner's
 *       {@code AbortedException}. The driver would never answer a query.
 *   <li>A statement that is cancelled in a read-write transaction is read to its end. For the
 *       driver it would have failed.
 *   <li>{@code rollbackTransaction()} completes also if the transaction has already ended, for
 *       example because it was aborted. The driver fails with an {@code IllegalStateException},
 *       which Spring would report in place of the abort.
 *   <li>Outside a transaction, statements run on {@code Schedulers.boundedElastic()}: the driver
 *       blocks for the first query of a client and for each schema change.
 * </ul>
 *
 * <p>{@code Wrapped.unwrap} returns the driver's connection.
 */
public final class SpannerConnectionFactory
    implements ConnectionFactory, Wrapped<ConnectionFactory>, Closeable {

  static {
    StatementParser.getStatementType("SELECT 1"); // reads files, which the first statement would do
  }

  private final ConnectionFactory driver;

  private SpannerConnectionFactory(ConnectionFactory driver) {
    this.driver = Objects.requireNonNull(driver, "driver");
  }

  /** Wraps the driver's factory. A factory of this type is returned as it is. */
  public static SpannerConnectionFactory over(ConnectionFactory driver) {
    return driver instanceof SpannerConnectionFactory wrapped
        ? wrapped
        : new SpannerConnectionFactory(driver);
  }

  /**
   * Emits a new connection to each subscriber. The driver is called at subscription, delivers on
   * its thread, and receives a cancellation.
   *
   * @return a cold publisher of one connection, which the subscriber must close
   */
  @Override
  public Publisher<? extends Connection> create() {
    return Mono.defer(() -> Mono.<Connection>from(driver.create())).map(SpannerConnection::new);
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
    return "SpannerConnectionFactory(" + driver + ")";
  }
}
