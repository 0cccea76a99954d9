package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.internal.CommitHooks;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
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

  /** Primary, because the application may define a store of its own. */
  @Bean
  @Primary
  InMemorySequenceStore inMemorySequenceStore(MillraceProperties properties) {
    InMemorySequenceStore store = InMemorySequenceStore.create();
    Long common = properties.getDefaults().getStartValue();
    properties
        .getSequences()
        .forEach(
            (name, sequence) -> {
              Long own = sequence.getStartValue();
              create(store, properties.rowOf(name), own == null ? common : own);
            });
    properties
        .getTransactional()
        .forEach(
            (name, sequence) -> create(store, properties.rowOf(name), sequence.getStartValue()));
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
        ObjectProvider<ConnectionFactory> application) {
      return new R2dbcTransactionalSource(
          new TransactionalRows(properties),
          row -> new InMemory<Connection>(row, store),
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
    SliceSource transactionalSequences(InMemorySequenceStore store, MillraceProperties properties) {
      return new SliceSource(new TransactionalRows(properties), store);
    }
  }

  /** In addition: the application may take its values in transactions of Spanner's client. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SpannerTransaction.class)
  @Conditional(OnTransactionalSequences.class)
  static class InSpannerTransactions {

    @Bean
    InMemorySource spannerTransactionalSequences(
        InMemorySequenceStore store, MillraceProperties properties) {
      return new InMemorySource(new TransactionalRows(properties), store);
    }
  }

  record SliceSource(TransactionalRows rows, InMemorySequenceStore store)
      implements TransactionalSource {

    @Override
    public SpringTransactionalSequence named(String name) {
      return rows.open(
          name, row -> SpringTransactionalSequence.inMemory(row, count -> take(store, row, count)));
    }
  }

  record InMemorySource(TransactionalRows rows, InMemorySequenceStore store)
      implements TransactionalSource {

    @Override
    public TransactionalSequence<SpannerTransaction> named(String name) {
      Function<String, TransactionalSequence<SpannerTransaction>> open =
          row -> new InMemorySpanner(new InMemory<>(row, store));
      return rows.open(name, open);
    }
  }

  /** Values from memory, whatever becomes of the transaction. */
  record InMemory<C>(String name, InMemorySequenceStore store) implements TransactionalSequence<C> {

    @Override
    public Mono<List<Long>> next(C transaction, int count) {
      Objects.requireNonNull(transaction, "transaction");
      if (count < 1) {
        throw new IllegalArgumentException("count must be 1 or more, was " + count);
      }
      return take(store, name, count);
    }
  }

  /** The same in transactions that have hooks. */
  record InMemorySpanner(InMemory<SpannerTransaction> values)
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

  private static Mono<List<Long>> take(InMemorySequenceStore store, String row, int count) {
    return store
        .reserve(row, count)
        .map(block -> LongStream.rangeClosed(block.first(), block.last()).boxed().toList());
  }
}
