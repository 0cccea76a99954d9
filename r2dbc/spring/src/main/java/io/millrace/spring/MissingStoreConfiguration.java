package io.millrace.spring;

import io.millrace.SequenceStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reports what is missing for a store that {@code millrace.store} names. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(SequenceStore.class)
class MissingStoreConfiguration {

  @Bean
  @ConditionalOnProperty(name = "millrace.store", havingValue = "spanner")
  SequenceStore missingSpannerStore() {
    throw PropertyRefusal.of(
        "store",
        StoreChoice.SPANNER,
        "there is no bean of type com.google.cloud.spanner.DatabaseClient, or not one alone");
  }

  @Bean
  @ConditionalOnProperty(name = "millrace.store", havingValue = "r2dbc")
  SequenceStore missingR2dbcStore() {
    throw PropertyRefusal.of(
        "store",
        StoreChoice.R2DBC,
        "there is no bean of type io.r2dbc.spi.ConnectionFactory: set spring.r2dbc.url");
  }
}
