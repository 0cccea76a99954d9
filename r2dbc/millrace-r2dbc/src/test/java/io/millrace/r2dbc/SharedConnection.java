package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A source that always gives the same connection, as one bound to a transaction does. */
final class SharedConnection implements ConnectionFactory {

  private final ConnectionFactory factory;
  private final Connection connection;

  SharedConnection(ConnectionFactory factory) {
    this.factory = factory;
    this.connection = Objects.requireNonNull(Mono.defer(() -> Mono.from(factory.create())).block());
  }

  Connection connection() {
    return connection;
  }

  void end() {
    Mono.from(connection.rollbackTransaction()).then(Mono.from(connection.close())).block();
  }

  /** Its close does nothing. */
  @Override
  public Publisher<? extends Connection> create() {
    return Mono.just(
        Proxies.of(
            Connection.class,
            (self, method, arguments) ->
                method.getName().equals("close")
                    ? Mono.empty()
                    : Proxies.call(connection, method, arguments)));
  }

  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return factory.getMetadata();
  }
}
