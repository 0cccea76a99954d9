package io.millrace.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.SequenceStore;
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
      ObservationRegistry registry,
      ObjectProvider<SequenceObservationConvention> convention,
      ObjectProvider<RecorderSource> recorders) {
    SequenceObservationConvention own = convention.getIfAvailable();
    boolean timed = recorders.getIfAvailable() == null;
    return (store, renamed, tag) -> {
      if (store instanceof ObservedSequenceStore observed) {
        return renamed.apply(tagged(observed, timed, tag));
      }
      SequenceStore counters = renamed.apply(store);
      return tagged(
          own == null
              ? ObservedSequenceStore.of(counters, registry)
              : ObservedSequenceStore.of(counters, registry, own),
          timed,
          tag);
    };
  }

  private static SequenceStore tagged(ObservedSequenceStore observed, boolean timed, String tag) {
    ObservedSequenceStore tagged = observed.taggedBy(name -> tag);
    return timed ? tagged : tagged.untimed();
  }
}
