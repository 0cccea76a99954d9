package io.millrace.spring.boot;

import io.millrace.spring.SequenceConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if one factory is the obvious choice, or if sequences are configured: then an unclear
 * choice ends the start. An application with several databases and no sequences starts.
 */
final class OnStoreConnections extends AnyNestedCondition {

  OnStoreConnections() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnSingleCandidate(ConnectionFactory.class)
  static final class One {}

  @Conditional(OnWish.class)
  static final class Wanted {}

  /** Matches marked connections and, if sequences are configured, any connections. */
  static final class OnWish implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
      return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      ListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
      // Spring Boot's condition on an annotation ignores beans that are no default candidates.
      return beans.getBeanNamesForAnnotation(SequenceConnectionFactory.class).length > 0
          || (ConfiguredNames.areConfigured(context.getEnvironment())
              && beans.getBeanNamesForType(ConnectionFactory.class, true, false).length > 0);
    }
  }
}
