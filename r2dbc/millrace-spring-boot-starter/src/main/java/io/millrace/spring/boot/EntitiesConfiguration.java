package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.spring.SequenceValueCallback;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/** Configures entities whose numbers are filled automatically. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(R2dbcMappingContext.class)
@ConditionalOnSingleCandidate(R2dbcMappingContext.class)
class EntitiesConfiguration {

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(SequenceGenerators.class)
  SequenceValueCallback sequenceValueCallback(
      R2dbcMappingContext entities,
      ObjectProvider<SequenceGenerators> generators,
      MillraceProperties properties,
      BeanFactory beans) {
    NamedBeans named = new NamedBeans(beans, generators);
    return new SequenceValueCallback(
        entities, named::sequence, named::key, properties.springDataSequence());
  }
}
