package io.millrace.webflux;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTransientResourceException;
import org.reactivestreams.Publisher;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Refuses connections to the database while the live page has cut it off. For H2 only, whose
 * connections are opened for each request.
 */
@Component
@ConditionalOnBooleanProperty("orders.live.enabled")
final class DatabaseSwitch implements ConnectionFactoryDecorator {

  private volatile boolean cut;

  void cut(boolean off) {
    cut = off;
  }

  @Override
  public ConnectionFactory decorate(ConnectionFactory driver) {
    return new ConnectionFactory() {
      @Override
      public Publisher<? extends Connection> create() {
        return Mono.defer(
            () ->
                cut
                    ? Mono.error(
                        new R2dbcTransientResourceException("the database is cut off", "08001"))
                    : Mono.from(driver.create()));
      }

      @Override
      public ConnectionFactoryMetadata getMetadata() {
        return driver.getMetadata();
      }
    };
  }
}
