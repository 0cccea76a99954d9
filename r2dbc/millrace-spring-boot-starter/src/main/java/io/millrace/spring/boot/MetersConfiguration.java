package io.millrace.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.micrometer.MicrometerRecorder;
import io.millrace.micrometer.SequenceObservationContext;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Meters, unless the application defines a recorder. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnMissingBean(SequenceMetricsRecorder.class)
class MetersConfiguration {

  /** All sequences of a template share its tag: one tag for each tenant would be too many. */
  @Bean
  RecorderSource sequenceRecorders(MeterRegistry registry) {
    return tag -> MicrometerRecorder.of(registry, name -> tag);
  }

  /**
   * Keeps observations from being timed where a recorder times the same reservations. Of the
   * handlers that make meters of observations, Spring Boot uses the first that supports one.
   */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  MeterObservationHandler<SequenceObservationContext> sequenceObservationsWithoutMeters() {
    return new MeterObservationHandler<>() {

      @Override
      public boolean supportsContext(Observation.Context context) {
        return context instanceof SequenceObservationContext request && !request.isTimed();
      }
    };
  }
}
