package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that work with any {@link SequenceGenerators}, also the application's own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSingleCandidate(SequenceGenerators.class)
@Import(NamedGeneratorsRegistrar.class)
class NamedGeneratorsConfiguration {

  @Bean
  GeneratorsLifecycle sequenceGeneratorsLifecycle(
      SequenceGenerators generators,
      MillraceProperties properties,
      ObjectProvider<SequenceStore> store,
      ObjectProvider<StoreTable> table,
      ObjectProvider<StoreDescription> description,
      ObjectProvider<GeneratorsConfiguration> ofProperties,
      ObjectProvider<SequenceGeneratorBuilderCustomizer> customizers) {
    SequenceStore counters = store.getIfUnique();
    StoreDescription described = description.getIfAvailable();
    boolean areRowsKnown =
        ofProperties.getIfAvailable() != null && customizers.stream().findAny().isEmpty();
    return new GeneratorsLifecycle(
        generators,
        new StartupWork(
            generators,
            properties,
            counters,
            table.getIfAvailable(),
            described == null ? () -> String.valueOf(counters) : described,
            new MissingRows(properties, described != null, areRowsKnown)),
        properties.shutdownTimeout());
  }
}
