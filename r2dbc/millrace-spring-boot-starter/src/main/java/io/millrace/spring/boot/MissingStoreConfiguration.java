package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** Reports what is missing for a store that {@code millrace.store} names. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(SequenceStore.class)
class MissingStoreConfiguration {

  /** A name and not a class literal, because the class may be missing. */
  static final String SPANNER_STORE = "io.millrace.spanner.SpannerSequenceStore";

  @Bean
  @ConditionalOnProperty(name = "millrace.store", havingValue = "spanner")
  SequenceStore missingSpannerStore(ResourceLoader application) {
    throw PropertyRefusal.of(
        "store",
        StoreChoice.SPANNER,
        ClassUtils.isPresent(SPANNER_STORE, application.getClassLoader())
            ? "there is no bean of type com.google.cloud.spanner.DatabaseClient, or more than one"
            : "the artefact io.millrace:millrace-spanner is not on the class path: add it");
  }

  @Bean
  @ConditionalOnProperty(name = "millrace.store", havingValue = "r2dbc")
  SequenceStore missingR2dbcStore() {
    throw PropertyRefusal.of(
        "store",
        StoreChoice.R2DBC,
        "there is no bean of type io.r2dbc.spi.ConnectionFactory: set spring.r2dbc.url");
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnStore(StoreChoice.NATIVE)
  static class Native {

    @Bean
    SequenceStore missingNativeStore(MillraceProperties properties) {
      throw PropertyRefusal.of(
          "store",
          properties.store(),
          "there is no bean of type io.r2dbc.spi.ConnectionFactory: set spring.r2dbc.url");
    }
  }
}
