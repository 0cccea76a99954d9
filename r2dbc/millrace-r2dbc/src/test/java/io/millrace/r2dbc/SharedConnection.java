package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return Mono.empty();
                  }
                  try {
                    return method.invoke(connection, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
  }

  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return factory.getMetadata();
  }
}
