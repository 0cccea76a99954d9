package io.millrace.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.SequenceValueCallback;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/** The parts of {@link MillraceAutoConfiguration}, each with its conditions. */
final class SequenceBeans {

  private SequenceBeans() {}

  /** A store that was asked for, and cannot be. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(SequenceStore.class)
  @ConditionalOnProperty("millrace.store")
  static class MissingStore {

    @Bean
    SequenceStore missingSequenceStore(MillraceProperties properties) {
      throw PropertyRefusal.of(
          "store",
          properties.store(),
          properties.store() == StoreChoice.SPANNER
              ? "it needs a bean of type com.google.cloud.spanner.DatabaseClient, and only one or a"
                  + " primary one, and the artefact io.millrace:millrace-spanner on the class path"
              : "it needs a bean of type io.r2dbc.spi.ConnectionFactory: set spring.r2dbc.url");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(SequenceStore.class)
  @ConditionalOnMissingBean(SequenceGenerators.class)
  static class Generators {

    /**
     * {@link SequencesLifecycle} usually disposes them earlier. This is for a start that failed.
     */
    @Bean(destroyMethod = "dispose")
    SequenceGenerators sequenceGenerators(
        SequenceStore store,
        MillraceProperties properties,
        ConfiguredNames names,
        ObjectProvider<SequenceGeneratorBuilderCustomizer> customizers) {
      return new ConfiguredGenerators(properties, names, customizers.orderedStream().toList())
          .over(store);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  static class Meters {

    @Bean
    SequenceMeters sequenceMeters(MeterRegistry registry) {
      return new SequenceMeters(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcMappingContext.class)
  @ConditionalOnSingleCandidate(R2dbcMappingContext.class)
  static class Entities {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(SequenceGenerators.class)
    SequenceValueCallback sequenceValueCallback(
        R2dbcMappingContext entities,
        ObjectProvider<SequenceGenerators> generators,
        BeanFactory beans) {
      NamedBeans named = new NamedBeans(beans, generators);
      return new SequenceValueCallback(entities, named::sequence, named::key);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnSingleCandidate(SequenceGenerators.class)
  static class Health {

    @Bean
    @ConditionalOnMissingBean(name = {"millraceHealthIndicator", "millraceHealthContributor"})
    @ConditionalOnEnabledHealthIndicator("millrace")
    GeneratorsHealth millraceHealthContributor(SequenceGenerators generators) {
      return new GeneratorsHealth(generators);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  @ConditionalOnSingleCandidate(SequenceGenerators.class)
  static class Actuator {

    @Bean
    @ConditionalOnAvailableEndpoint
    SequencesEndpoint sequencesEndpoint(SequenceGenerators generators) {
      return new SequencesEndpoint(generators);
    }
  }
}
