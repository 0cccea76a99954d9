package io.millrace.spring;

import io.millrace.SequenceStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Refuses to choose R2DBC where the counters may be in Spanner: with a bean of Spanner's client and
 * without the artefact that reaches them. Counters that began again elsewhere would give the same
 * numbers twice.
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
