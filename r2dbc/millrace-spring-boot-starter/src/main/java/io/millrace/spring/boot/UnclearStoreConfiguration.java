package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Refuses to choose R2DBC if the counters may be in Spanner: there is a bean of Spanner's client,
 * but not the artefact that reaches the counters. Counters that start again in another database
 * would issue the same numbers twice.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass(MissingStoreConfiguration.SPANNER_STORE)
@ConditionalOnBean(type = "com.google.cloud.spanner.DatabaseClient")
@ConditionalOnMissingBean(SequenceStore.class)
@ConditionalOnProperty(name = "millrace.store", havingValue = "auto", matchIfMissing = true)
@Conditional(OnStoreConnections.class)
class UnclearStoreConfiguration {

  @Bean
  SequenceStore unclearStore() {
    throw PropertyRefusal.of(
        "store",
        StoreChoice.AUTO,
        "there is a bean of type com.google.cloud.spanner.DatabaseClient, and the artefact"
            + " io.millrace:millrace-spanner is not on the class path: add it if the counters are"
            + " in Spanner, or set millrace.store=r2dbc");
  }
}
