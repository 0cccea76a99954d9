package io.millrace.webflux;

import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the service knows of its database. */
@Configuration(proxyBeanMethods = false)
class OrderConfiguration {

  /** Asked for at start, when waiting does no harm. */
  @Bean
  R2dbcDialect dialect(ConnectionFactory connections, OrderSettings settings) {
    return Objects.requireNonNull(R2dbcDialect.of(connections).block(settings.patience()));
  }
}
