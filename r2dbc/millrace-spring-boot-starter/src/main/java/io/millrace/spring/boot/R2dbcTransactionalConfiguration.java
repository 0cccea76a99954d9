package io.millrace.spring.boot;

import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Sequences without gaps over R2DBC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(R2dbcTransactionManager.class)
@ConditionalOnSingleCandidate(R2dbcSequenceStore.class)
@ConditionalOnMissingBean(TransactionalSource.class)
@Conditional(OnTransactionalSequences.class)
class R2dbcTransactionalConfiguration {

  @Bean
  R2dbcTransactionalSource transactionalSequences(
      R2dbcSequenceStore store,
      MillraceProperties properties,
      ObjectProvider<R2dbcTransactionManager> managers,
      ObjectProvider<ConnectionFactory> application,
      ObjectProvider<Clock> clocks) {
    return new R2dbcTransactionalSource(
        TransactionalRows.of(properties, clocks),
        store,
        store::transactional,
        TransactionConnections.of(managers, application));
  }
}
