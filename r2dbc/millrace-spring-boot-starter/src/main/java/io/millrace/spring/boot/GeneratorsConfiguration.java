package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The generators that properties describe. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSingleCandidate(SequenceStore.class)
@ConditionalOnMissingBean(SequenceGenerators.class)
class GeneratorsConfiguration {

  /** {@link GeneratorsLifecycle} usually disposes them earlier. This is for a start that failed. */
  @Bean(destroyMethod = "dispose")
  SequenceGenerators sequenceGenerators(
      SequenceStore store,
      MillraceProperties properties,
      Environment environment,
      ObjectProvider<SequenceMetricsRecorder> recorder,
      ObjectProvider<RecorderSource> recorders,
      ObjectProvider<SequenceGeneratorBuilderCustomizer> customizers) {
    String value = environment.getProperty(MillraceProperties.PREFIX + ".defaults");
    if (value != null) { // Spring Boot would not look for the properties below it
      throw PropertyRefusal.of("defaults", value, "it is a group of properties, without a value");
    }
    RecorderSource source =
        recorders.getIfAvailable(
            () -> {
              SequenceMetricsRecorder own =
                  recorder.getIfAvailable(() -> SequenceMetricsRecorder.NONE);
              return tag -> own;
            });
    return new ConfiguredGenerators(properties, source, customizers.orderedStream().toList())
        .over(store);
  }
}
