package io.millrace.spring;

import io.millrace.spring.data.spanner.SpannerDialect;
import io.millrace.spring.data.spanner.SpannerEntityTemplate;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
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
@EnableR2dbcRepositories(
    considerNestedRepositories = true,
    excludeFilters = @Filter(type = FilterType.REGEX, pattern = ".*ThroughBootTest.*"))
@EnableTransactionManagement
class SpringData extends AbstractR2dbcConfiguration {

  @Autowired ConnectionFactory connections;

  /** Starts a context over a database. */
  static AnnotationConfigApplicationContext over(
      ConnectionFactory connections, Class<?>... configurations) {
    return over(connections, context -> {}, configurations);
  }

  /** Starts a context over a database, with beans of the caller's own. */
  static AnnotationConfigApplicationContext over(
      ConnectionFactory connections,
      Consumer<AnnotationConfigApplicationContext> beans,
      Class<?>... configurations) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(ConnectionFactory.class, () -> connections);
    context.register(SpringData.class);
    for (Class<?> configuration : configurations) {
      context.register(configuration);
    }
    beans.accept(context);
    context.refresh();
    return context;
  }

  /** Without those of the tests with Spring Boot, which have sequences of their own. */
  @Override
  protected Set<Class<?>> getInitialEntitySet() throws ClassNotFoundException {
    return super.getInitialEntitySet().stream()
        .filter(type -> !type.getName().contains("ThroughBootTest"))
        .collect(Collectors.toSet());
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
