package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the generators, under the name {@code millrace}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(SequenceGenerators.class)
class HealthConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = {"millraceHealthIndicator", "millraceHealthContributor"})
  @ConditionalOnEnabledHealthIndicator("millrace")
  GeneratorsHealth millraceHealthContributor(
      SequenceGenerators generators, ObjectProvider<StoreHealth> store) {
    return new GeneratorsHealth(generators, store.getIfAvailable());
  }
}
