package io.millrace.spring;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if there are connections for a store, and no doubt which. An application with several
 * databases that has said nothing of sequences may not want any; one that has is told what to mark.
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
