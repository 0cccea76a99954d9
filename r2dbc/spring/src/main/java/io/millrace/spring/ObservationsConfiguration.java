package io.millrace.spring;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.micrometer.ObservedSequenceStore;
import io.millrace.micrometer.SequenceObservationConvention;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations of reservations and releases. Those of a template share its tag. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
class ObservationsConfiguration {

  @Bean
  StoreObserver sequenceStoreObserver(
      ObservationRegistry registry, ObjectProvider<SequenceObservationConvention> convention) {
    SequenceObservationConvention own = convention.getIfAvailable();
    return (store, tag) -> {
      if (store instanceof ObservedSequenceStore) {
        return store;
      }
      ObservedSequenceStore observed =
          own == null
              ? ObservedSequenceStore.of(store, registry)
              : ObservedSequenceStore.of(store, registry, own);
      return observed.taggedBy(name -> tag);
    };
  }
}
