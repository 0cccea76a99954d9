package io.millrace.r2dbc;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Pools of connections, as applications have them. */
final class Pools {

  private Pools() {}

  static ConnectionPool of(int size, ConnectionFactory connections) {
    return new ConnectionPool(
        ConnectionPoolConfiguration.builder(new EachItsOwn(connections))
            .initialSize(0)
            .maxSize(size)
            .build());
  }

  /**
   * The driver of Spanner gives every subscriber of one publisher the same connection, and a pool
   * asks for the publisher once.
   */
  private record EachItsOwn(ConnectionFactory connections) implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.defer(() -> Mono.from(connections.create()));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return connections.getMetadata();
    }
  }
}
