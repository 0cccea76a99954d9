package io.millrace.spring.boot;

import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** The beans of {@link AutoConfigureInMemorySequences}, which take the place of a store's. */
@AutoConfiguration(before = MillraceAutoConfiguration.class)
final class InMemorySequencesAutoConfiguration {

  /** Primary, because the application may define another store. */
  @Bean
  @Primary
  InMemorySequenceStore inMemorySequenceStore(
      MillraceProperties properties, ConfiguredNames names) {
    InMemorySequenceStore store = InMemorySequenceStore.create();
    names
        .in(ConfiguredNames.SEQUENCES)
        .forEach(name -> create(store, name, properties.sequence(name).startOrDefault()));
    names
        .in(ConfiguredNames.GAPLESS)
        .forEach(name -> create(store, name, properties.gapless(name).startValue()));
    return store;
  }

  /** Ignores a start value out of range: the check that names its property refuses it later. */
  private static void create(InMemorySequenceStore store, String row, long startValue) {
    store.create(row, startValue).onErrorComplete().block();
  }

  @Bean
  @ConditionalOnClass(R2dbcTransactionManager.class)
  InSpring transactionalSequences(InMemorySequenceStore store, GaplessNumbers numbers) {
    return new InSpring(numbers, store);
  }

  /** In addition: the application may take its values in transactions of Spanner's client. */
  @Bean
  @ConditionalOnClass(SpannerTransaction.class)
  SpannerSequences.GaplessSource spannerTransactionalSequences(
      InMemorySequenceStore store, GaplessNumbers numbers) {
    return new SpannerSequences.GaplessSource(numbers, store, store::transactional);
  }

  record InSpring(GaplessNumbers numbers, InMemorySequenceStore counters)
      implements GaplessNumbers.Source {

    @Override
    public SpringTransactionalSequence named(String name) {
      return SpringTransactionalSequence.inMemory(numbers.open(name, counters::transactional));
    }

    @Override
    public SpringPeriodicNumbers periodic(String name) {
      return SpringPeriodicNumbers.inMemory(
          numbers.periodic(name, counters::transactional), counters.transactionals());
    }
  }
}
