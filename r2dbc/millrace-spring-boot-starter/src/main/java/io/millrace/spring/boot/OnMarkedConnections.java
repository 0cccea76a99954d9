package io.millrace.spring.boot;

import io.millrace.spring.SequenceConnectionFactory;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a bean is marked {@link SequenceConnectionFactory}. Spring Boot's own condition on an
 * annotation ignores beans that are not default candidates, such as these.
 */
final class OnMarkedConnections extends SpringBootCondition implements ConfigurationCondition {

  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.REGISTER_BEAN;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    String[] marked =
        Objects.requireNonNull(context.getBeanFactory())
            .getBeanNamesForAnnotation(SequenceConnectionFactory.class);
    return new ConditionOutcome(
        marked.length > 0,
        ConditionMessage.forCondition("@SequenceConnectionFactory")
            .foundExactly(marked.length + " beans"));
  }
}
