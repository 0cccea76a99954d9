package io.millrace.spring;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.micrometer.ObservedSequenceStore;
import io.millrace.micrometer.SequenceObservationConvention;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations of reservations and releases. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
class ObservationsConfiguration {

  @Bean
  StoreObserver sequenceStoreObserver(
      ObservationRegistry registry, ObjectProvider<SequenceObservationConvention> convention) {
    return store -> {
      SequenceObservationConvention own = convention.getIfAvailable();
      if (store instanceof ObservedSequenceStore) {
        return store;
      }
      return own == null
          ? ObservedSequenceStore.of(store, registry)
          : ObservedSequenceStore.of(store, registry, own);
    };
  }
}
