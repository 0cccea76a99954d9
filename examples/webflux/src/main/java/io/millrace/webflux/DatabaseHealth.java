package io.millrace.webflux;

import io.r2dbc.spi.ConnectionFactory;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.r2dbc.health.ConnectionFactoryHealthIndicator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Spring Boot's health check of the database with a timeout, without which it would wait forever.
 */
@Component("r2dbcHealthIndicator")
class DatabaseHealth implements ReactiveHealthIndicator {

  private final ReactiveHealthIndicator database;
  private final OrderSettings settings;

  DatabaseHealth(ConnectionFactory connections, OrderSettings settings) {
    this.database = new ConnectionFactoryHealthIndicator(connections);
    this.settings = settings;
  }

  @Override
  public Mono<Health> health() {
    return database
        .health()
        .timeout(settings.healthPatience())
        .onErrorResume(TimeoutException.class, late -> Mono.just(Health.down(late).build()));
  }
}
