package io.millrace.spring.boot;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Finds the {@code ConnectionFactory} of the application's transactions. */
final class TransactionConnections {

  private TransactionConnections() {}

  static ConnectionFactory of(
      ObjectProvider<R2dbcTransactionManager> managers,
      ObjectProvider<ConnectionFactory> application) {
    R2dbcTransactionManager manager = managers.getIfUnique();
    ConnectionFactory managed = manager == null ? null : manager.getConnectionFactory();
    ConnectionFactory connections = managed == null ? application.getIfUnique() : managed;
    if (connections == null) {
      throw PropertyRefusal.of(
          "gapless",
          null,
          "it is unclear which transactions to use: there is no single or primary bean of type"
              + " R2dbcTransactionManager or io.r2dbc.spi.ConnectionFactory. Mark one @Primary, or"
              + " define the beans yourself with SpringTransactionalSequence.over");
    }
    return connections;
  }
}
