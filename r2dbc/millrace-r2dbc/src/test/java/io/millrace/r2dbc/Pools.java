package io.millrace.r2dbc;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Mono;

/** Pools of connections, as applications have them. */
final class Pools {

  private Pools() {}

  static ConnectionPool of(int size, ConnectionFactory connections) {
    return new Pool(
        ConnectionPoolConfiguration.builder(connections).initialSize(0).maxSize(size).build());
  }

  /**
   * A pool whose disposal does not report a fault of reactor-pool 1.2.6: a connection may be
   * counted as destroyed twice if the pool is disposed of while a thread is still inside the return
   * of that connection, although another borrower has used it since.
   */
  private static final class Pool extends ConnectionPool {

    Pool(ConnectionPoolConfiguration configuration) {
      super(configuration);
    }

    @Override
    public Mono<Void> disposeLater() {
      return super.disposeLater()
          .onErrorResume(
              failure -> String.valueOf(failure.getMessage()).startsWith("Too many permits"),
              failure -> Mono.empty());
    }
  }
}
