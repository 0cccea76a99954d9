package io.millrace.spring.boot;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if it is clear which connections a store should use. With several databases and no {@code
 * millrace.*} sequences it does not match. With sequences, the start fails and says which bean to
 * mark.
 */
final class OnStoreConnections extends AnyNestedCondition {

  OnStoreConnections() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnSingleCandidate(ConnectionFactory.class)
  static final class One {}

  @Conditional(OnMarkedConnections.class)
  static final class Marked {}

  @ConditionalOnBean(ConnectionFactory.class)
  @Conditional(OnSequencesWanted.class)
  static final class Wanted {}
}
