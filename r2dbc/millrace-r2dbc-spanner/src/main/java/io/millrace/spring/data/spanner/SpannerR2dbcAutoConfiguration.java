package io.millrace.spring.data.spanner;

import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.r2dbc.convert.R2dbcConverter;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.dialect.R2dbcDialect;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Configures Spring Boot for Cloud Spanner's R2DBC driver: connections as R2DBC defines them, and a
 * {@code deleteAll()} that Spanner accepts. Has no effect with other databases.
 */
@AutoConfiguration(after = R2dbcAutoConfiguration.class, before = DataR2dbcAutoConfiguration.class)
@ConditionalOnClass(R2dbcAutoConfiguration.class) // of Spring Boot 4: the class had another package
public final class SpannerR2dbcAutoConfiguration {

  SpannerR2dbcAutoConfiguration() {}

  /**
   * Runs before any bean connects. Ahead-of-time processing also runs it, on a machine that need
   * not have the program's environment, so the check is skipped there.
   */
  @Bean
  static BeanFactoryPostProcessor spannerEmulatorCheck(Environment properties) {
    return beans -> {
      if (!Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
        new EmulatorUrl(properties.getProperty(EmulatorUrl.PROPERTY), System.getenv()).check();
      }
    };
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConnectionFactoryDecorator.class)
  static class Connections {

    /** The first of all decorators: it wraps the driver directly. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    ConnectionFactoryDecorator spannerConnections() {
      return driver ->
          SpannerSql.isSpanner(driver) ? SpannerConnectionFactory.over(driver) : driver;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({DatabaseClient.class, R2dbcEntityTemplate.class})
  @ConditionalOnSingleCandidate(DatabaseClient.class)
  static class Template {

    @Bean
    @ConditionalOnMissingBean
    R2dbcEntityTemplate r2dbcEntityTemplate(DatabaseClient client, R2dbcConverter converter) {
      R2dbcDialect dialect = DialectResolver.getDialect(client.getConnectionFactory());
      return dialect instanceof SpannerDialect spanner
          ? new SpannerEntityTemplate(client, spanner, converter)
          : new R2dbcEntityTemplate(client, dialect, converter);
    }
  }
}
