package io.millrace.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.micrometer.MicrometerRecorder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
}
