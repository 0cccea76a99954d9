package io.millrace.spring.boot;

import io.millrace.spring.SequenceConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if it is clear which connections a store uses, or if sequences are configured: then an
 * unclear choice ends the start. An application with several databases and no sequences starts.
 */
final class OnStoreConnections extends AnyNestedCondition {

  OnStoreConnections() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    return "spanner".equalsIgnoreCase(environment.getProperty("millrace.store"))
        ? ConditionOutcome.noMatch("millrace.store is spanner")
        : super.getMatchOutcome(context, metadata);
  }

  @ConditionalOnSingleCandidate(ConnectionFactory.class)
  static final class One {}

  @Conditional(OnMarked.class)
  static final class Marked {}

  @ConditionalOnBean(ConnectionFactory.class)
  @Conditional(OnSequences.class)
  static final class Several {}

  /** Spring Boot's condition on an annotation ignores beans that are no default candidates. */
  static final class OnMarked extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
      return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      return new ConditionOutcome(
          Objects.requireNonNull(context.getBeanFactory())
                  .getBeanNamesForAnnotation(SequenceConnectionFactory.class)
                  .length
              > 0,
          ConditionMessage.forCondition("@SequenceConnectionFactory").because("of its beans"));
    }
  }

  static final class OnSequences extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      return new ConditionOutcome(
          ConfiguredNames.areConfigured(context.getEnvironment()),
          ConditionMessage.forCondition("millrace.*").because("of the names below it"));
    }
  }
}
