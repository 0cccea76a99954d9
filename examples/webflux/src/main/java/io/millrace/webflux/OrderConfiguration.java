package io.millrace.webflux;

import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that describe the database. */
@Configuration(proxyBeanMethods = false)
class OrderConfiguration {

  /** Finds the dialect at startup, when blocking is harmless. */
  @Bean
  R2dbcDialect dialect(ConnectionFactory connections, OrderSettings settings) {
    return Objects.requireNonNull(R2dbcDialect.of(connections).block(settings.patience()));
  }
}
