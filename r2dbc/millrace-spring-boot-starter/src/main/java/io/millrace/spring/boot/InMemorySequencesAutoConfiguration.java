package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.internal.CommitHooks;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringPeriodicSequence;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import reactor.core.publisher.Mono;

/** The beans of {@link AutoConfigureInMemorySequences}, which take the place of a store's. */
@AutoConfiguration(
    before = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration"
    })
@EnableConfigurationProperties(MillraceProperties.class)
final class InMemorySequencesAutoConfiguration {

  InMemorySequencesAutoConfiguration() {}

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
        .transactional()
        .forEach(
            (name, sequence) -> {
              if (sequence.period() == null) {
                create(store, properties.rowOf(name), sequence.startValue());
              }
            });
    return store;
  }

  /** A start value that is out of range is refused later, by the parts that name its property. */
  private static void create(InMemorySequenceStore store, String row, @Nullable Long startValue) {
    store.create(row, startValue == null ? 1 : startValue).onErrorComplete().block();
  }

  @Bean
  StoreDescription sequenceStoreDescription() {
    return () -> "memory, for tests";
  }

  /** There is no table, so {@code millrace.create-table} has nothing to do. */
  @Bean
  StoreTable sequenceStoreTable() {
    return Mono::empty;
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcTransactionManager.class)
  @ConditionalOnBean(ConnectionFactory.class)
  @Conditional(OnTransactionalSequences.class)
  static class InR2dbcTransactions {

    @Bean
    R2dbcTransactionalSource transactionalSequences(
        InMemorySequenceStore store,
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

  /** In a slice without a database: no transaction can begin there, so none is needed. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcTransactionManager.class)
  @ConditionalOnMissingBean(ConnectionFactory.class)
  @Conditional(OnTransactionalSequences.class)
  static class WithoutADatabase {

    @Bean
    SliceSource transactionalSequences(
        InMemorySequenceStore store, MillraceProperties properties, ObjectProvider<Clock> clocks) {
      return new SliceSource(TransactionalRows.of(properties, clocks), store);
    }
  }

  /** In addition: the application may take its values in transactions of Spanner's client. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SpannerTransaction.class)
  @Conditional(OnTransactionalSequences.class)
  static class InSpannerTransactions {

    @Bean
    InMemorySource spannerTransactionalSequences(
        InMemorySequenceStore store, MillraceProperties properties, ObjectProvider<Clock> clocks) {
      return new InMemorySource(TransactionalRows.of(properties, clocks), store);
    }
  }

  record SliceSource(TransactionalRows rows, InMemorySequenceStore store)
      implements TransactionalSource {

    @Override
    public SpringTransactionalSequence named(String name) {
      return rows.open(
          name,
          row -> {
            TransactionalSequence<Object> values = store.transactional(row);
            return SpringTransactionalSequence.inMemory(row, count -> values.next(row, count));
          });
    }

    @Override
    public SpringPeriodicSequence periodic(String name) {
      return SpringPeriodicSequence.inMemory(rows.openPeriodic(name, store, store::transactional));
    }
  }

  record InMemorySource(TransactionalRows rows, InMemorySequenceStore store)
      implements TransactionalSource {

    @Override
    public TransactionalSequence<SpannerTransaction> named(String name) {
      return rows.open(name, this::open);
    }

    @Override
    public PeriodicTransactionalSequence<SpannerTransaction> periodic(String name) {
      return rows.openPeriodic(name, store, this::open);
    }

    private TransactionalSequence<SpannerTransaction> open(String row) {
      return new InMemorySpanner(store.transactional(row));
    }
  }

  /** Values from memory in transactions that have hooks. */
  record InMemorySpanner(TransactionalSequence<SpannerTransaction> values)
      implements TransactionalSequence<SpannerTransaction> {

    @Override
    public String name() {
      return values.name();
    }

    @Override
    public Mono<List<Long>> next(SpannerTransaction transaction, int count) {
      return values.next(transaction, count);
    }

    @Override
    public <T> Mono<Mono<T>> atCommit(
        SpannerTransaction transaction, LongFunction<? extends Mono<T>> use) {
      return Mono.defer(
          () ->
              transaction
                  .attribute(InMemorySpanner.class, () -> registered(transaction))
                  .number(name(), this, count -> next(transaction, count), use));
    }

    /**
     * All sequences of a transaction share one, so it takes their numbers in the order of names.
     */
    private static CommitHooks registered(SpannerTransaction transaction) {
      CommitHooks hooks = new CommitHooks();
      transaction.beforeCommit(hooks::run);
      return hooks;
    }
  }
}
