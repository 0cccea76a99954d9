package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The actuator's endpoint {@code sequences}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(SequenceGenerators.class)
class EndpointConfiguration {

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint(endpoint = SequencesEndpoint.class)
  SequencesEndpoint sequencesEndpoint(
      SequenceGenerators generators,
      MillraceProperties properties,
      ObjectProvider<SequenceStore> store,
      ObjectProvider<Clock> clocks) {
    return new SequencesEndpoint(
        generators, TransactionalRows.of(properties, clocks), store.getIfUnique());
  }
}
