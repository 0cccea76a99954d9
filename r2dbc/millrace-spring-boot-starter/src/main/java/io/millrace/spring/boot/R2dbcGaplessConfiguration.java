package io.millrace.spring.boot;

import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Gapless numbers that take part in Spring's transactions over R2DBC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(R2dbcTransactionManager.class)
@ConditionalOnSingleCandidate(R2dbcSequenceStore.class)
@ConditionalOnMissingBean(GaplessSource.class)
class R2dbcGaplessConfiguration {

  @Bean
  @Lazy // made for the first sequence of millrace.gapless, if there is one
  Source transactionalSequences(
      R2dbcSequenceStore store,
      MillraceProperties properties,
      ObjectProvider<R2dbcTransactionManager> managers,
      ObjectProvider<ConnectionFactory> application,
      ObjectProvider<Clock> clocks) {
    return new Source(
        GaplessRows.of(properties, clocks),
        store,
        TransactionConnections.of(managers, application));
  }

  record Source(GaplessRows rows, R2dbcSequenceStore store, ConnectionFactory connections)
      implements GaplessSource {

    @Override
    public SpringTransactionalSequence named(String name) {
      return SpringTransactionalSequence.over(rows.open(name, store::transactional), connections);
    }

    @Override
    public SpringPeriodicNumbers periodic(String name) {
      return SpringPeriodicNumbers.over(
          rows.periodic(name, store::transactional), store.transactionals(), connections);
    }
  }
}
