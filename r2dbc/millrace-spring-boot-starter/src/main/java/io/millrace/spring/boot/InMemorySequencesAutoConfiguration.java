package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** The beans of {@link AutoConfigureInMemorySequences}, which take the place of a store's. */
@AutoConfiguration(before = MillraceAutoConfiguration.class)
@EnableConfigurationProperties(MillraceProperties.class)
final class InMemorySequencesAutoConfiguration {

  /** Primary, because the application may define another store. */
  @Bean
  @Primary
  InMemorySequenceStore inMemorySequenceStore(MillraceProperties properties) {
    InMemorySequenceStore store = InMemorySequenceStore.create();
    Long common = properties.defaults().getStartValue();
    properties
        .sequences()
        .forEach(
            (name, sequence) -> {
              Long own = sequence.getStartValue();
              create(store, properties.rowOf(name), own == null ? common : own);
            });
    properties
        .gapless()
        .forEach((name, own) -> create(store, properties.rowOf(name), own.startValue()));
    return store;
  }

  /** A start value that is out of range is refused later, by the parts that name its property. */
  private static void create(InMemorySequenceStore store, String row, @Nullable Long startValue) {
    store.create(row, startValue == null ? 1 : startValue).onErrorComplete().block();
  }

  @Bean
  @ConditionalOnClass(R2dbcTransactionManager.class)
  InSpring transactionalSequences(
      InMemorySequenceStore store, MillraceProperties properties, ObjectProvider<Clock> clocks) {
    return new InSpring(GaplessRows.of(properties, clocks), store);
  }

  /** In addition: the application may take its values in transactions of Spanner's client. */
  @Bean
  @ConditionalOnClass(SpannerTransaction.class)
  SpannerGaplessSource spannerTransactionalSequences(
      InMemorySequenceStore store, MillraceProperties properties, ObjectProvider<Clock> clocks) {
    return new SpannerGaplessSource(GaplessRows.of(properties, clocks), store::transactional);
  }

  record InSpring(GaplessRows rows, InMemorySequenceStore store) implements GaplessSource {

    @Override
    public SpringTransactionalSequence named(String name) {
      TransactionalSequence<Object> values = rows.open(name, store::transactional);
      return SpringTransactionalSequence.inMemory(name, count -> values.next(this, count));
    }

    @Override
    public SpringPeriodicNumbers periodic(String name) {
      return SpringPeriodicNumbers.inMemory(
          rows.periodic(name, store::transactional), store.transactionals());
    }
  }
}
