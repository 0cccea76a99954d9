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
 * Closes a connection that the pool has lent for longer than a request waits.
 *
 * <p>When the network falls silent, a statement is never answered, and neither is the rollback
 * after it: the pool does not get its connection back, and is empty soon. A connection that is
 * closed fails what waits for it, and the pool replaces it.
 */
@Configuration(proxyBeanMethods = false)
@Profile("postgres")
class PostgresLeases {

  @Bean
  ConnectionFactoryDecorator limitedLeases(OrderSettings settings) {
    return driver -> new Limited(driver, settings.patience());
  }

  /** The driver's connections, each with a limit to the time for which it is lent. */
  record Limited(ConnectionFactory driver, Duration limit) implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.from(driver.create()).map(connection -> LimitedLease.of(connection, limit));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return driver.getMetadata();
    }
  }
}
