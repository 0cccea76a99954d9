package io.millrace.spring.data.spanner;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.config.AbstractR2dbcConfiguration;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.core.ReactiveDataAccessStrategy;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Spring Data without Spring Boot, as its reference manual configures it. */
@Configuration
@EnableR2dbcRepositories(considerNestedRepositories = true)
@EnableTransactionManagement
class SpringData extends AbstractR2dbcConfiguration {

  @Autowired ConnectionFactory connections;

  /** Starts a context over a database. */
  static AnnotationConfigApplicationContext over(
      ConnectionFactory connections, Class<?>... configurations) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(ConnectionFactory.class, () -> connections);
    context.register(SpringData.class);
    for (Class<?> configuration : configurations) {
      context.register(configuration);
    }
    context.refresh();
    return context;
  }

  @Override
  public ConnectionFactory connectionFactory() {
    return connections;
  }

  @Override
  @SuppressWarnings("deprecation") // the type of a parameter, which Spring Data still passes
  public R2dbcEntityTemplate r2dbcEntityTemplate(
      DatabaseClient client, ReactiveDataAccessStrategy strategy) {
    return getDialect(connections) instanceof SpannerDialect spanner
        ? new SpannerEntityTemplate(client, spanner, strategy.getConverter())
        : super.r2dbcEntityTemplate(client, strategy);
  }

  @Bean
  ReactiveTransactionManager transactionManager(ConnectionFactory connections) {
    return new R2dbcTransactionManager(connections);
  }

  @Bean
  TransactionalOperator transactions(ReactiveTransactionManager manager) {
    return TransactionalOperator.create(manager);
  }
}
