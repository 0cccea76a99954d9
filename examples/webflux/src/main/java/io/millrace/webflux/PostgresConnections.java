package io.millrace.webflux;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import org.reactivestreams.Publisher;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import reactor.core.publisher.Mono;

/**
 * Closes a connection that stays acquired from the pool for longer than a request waits.
 *
 * <p>On a silent network, neither a statement nor the rollback after it is answered. The connection
 * is not released, and the pool is soon empty. Closing the connection fails the calls that wait on
 * it, and the pool replaces the connection.
 */
@Configuration(proxyBeanMethods = false)
@Profile("postgres")
class PostgresConnections {

  @Bean
  ConnectionFactoryDecorator timeLimitedConnections(OrderSettings settings) {
    return driver -> new Limited(driver, settings.patience());
  }

  /** The driver's connections, each with a limit to the time for which it is acquired. */
  record Limited(ConnectionFactory driver, Duration limit) implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.from(driver.create())
          .map(connection -> TimeLimitedConnection.of(connection, limit));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return driver.getMetadata();
    }
  }
}
