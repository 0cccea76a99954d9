package io.millrace.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.Sequence;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceStore;
import io.millrace.internal.LogSafe;
import io.millrace.key.KeyFunction;
import io.millrace.micrometer.MicrometerRecorder;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.SequenceValueCallback;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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

/** The parts of {@link MillraceAutoConfiguration} over any store, each with its conditions. */
final class SequenceBeans {

  private SequenceBeans() {}

  /** Ends the start if the requested store cannot be configured. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(SequenceStore.class)
  @ConditionalOnProperty("millrace.store")
  static class MissingStore {

    static final String NEEDS =
        "spanner needs one or a primary bean of type com.google.cloud.spanner.DatabaseClient, and"
            + " io.millrace:millrace-spanner on the class path; the other stores need a bean of"
            + " type io.r2dbc.spi.ConnectionFactory: set spring.r2dbc.url";

    @Bean
    SequenceStore missingSequenceStore() {
      throw StartFailedException.ofProperty("store", NEEDS);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(SequenceStore.class)
  @ConditionalOnMissingBean(SequenceGenerators.class)
  static class Generators {

    /** The destroy method is for a start that failed; see {@link SequencesLifecycle}. */
    @Bean(destroyMethod = "dispose")
    SequenceGenerators sequenceGenerators(
        SequenceStore store,
        MillraceProperties properties,
        ConfiguredNames names,
        ObjectProvider<SequenceGeneratorBuilderCustomizer> customizers) {
      return new ConfiguredGenerators(
              store, properties, names, customizers.orderedStream().toList())
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  static class Meters {

    /** The sequences of a template share its tag: one tag for each tenant would be too many. */
    @Bean
    SequenceGeneratorBuilderCustomizer sequenceMeters(MeterRegistry registry) {
      // Two recorders of one tag would remove each other's meters.
      Map<String, SequenceMetricsRecorder> byTag = new ConcurrentHashMap<>();
      return (name, builder) ->
          builder.metrics(
              byTag.computeIfAbsent(name, tag -> MicrometerRecorder.of(registry, each -> tag)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcMappingContext.class)
  @ConditionalOnSingleCandidate(R2dbcMappingContext.class)
  static class Entities {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(SequenceGenerators.class)
    SequenceValueCallback sequenceValueCallback(R2dbcMappingContext entities, BeanFactory beans) {
      return new SequenceValueCallback(
          entities, name -> sequence(name, beans), name -> key(name, beans));
    }

    /** Finds a bean of that name, otherwise the generator of the sequence of that name. */
    private static Sequence sequence(String name, BeanFactory beans) {
      if (beans.containsBean(name) && beans.isTypeMatch(name, Sequence.class)) {
        return beans.getBean(name, Sequence.class);
      }
      SequenceGenerators named = beans.getBean(SequenceGenerators.class);
      try {
        return named.get(name);
      } catch (IllegalArgumentException unknown) {
        throw new IllegalArgumentException(
            "there are %s; correct the name, or add %s.create=true, for example, or a bean of type Sequence"
                .formatted(
                    named.names().stream().map(LogSafe::name).toList(),
                    ConfiguredNames.shown(ConfiguredNames.place(ConfiguredNames.SEQUENCES, name))),
            unknown);
      }
    }

    @SuppressWarnings("unchecked") // the type arguments of a bean are declared, not checked
    private static @Nullable KeyFunction<Long, Long> key(String name, BeanFactory beans) {
      return beans.containsBean(name)
          ? (KeyFunction<Long, Long>) beans.getBean(name, KeyFunction.class)
          : null;
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
