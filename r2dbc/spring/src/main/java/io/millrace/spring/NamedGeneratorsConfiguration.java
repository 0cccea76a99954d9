package io.millrace.spring;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
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
      ObjectProvider<StoreDescription> description) {
    SequenceStore counters = store.getIfUnique();
    return new GeneratorsLifecycle(
        generators,
        new StartupWork(
            generators,
            properties,
            counters,
            table.getIfAvailable(),
            description.getIfAvailable(() -> () -> String.valueOf(counters))),
        properties.getShutdownTimeout());
  }
}
