package io.millrace.spring.boot;

import io.millrace.insert.RowWriter;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Ends the application's writers in time. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RowWriter.class)
class WritersConfiguration {

  @Bean
  WritersLifecycle rowWritersLifecycle(
      ConfigurableListableBeanFactory beans, MillraceProperties properties) {
    return new WritersLifecycle(beans, properties.shutdownTimeout());
  }
}
