package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Entities, a repository and properties: the numbers are there, on each database. */
class SavedThroughBootTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Table("parcel")
  record Parcel(@Id @SequenceValue("parcels") @Nullable Long id, String item) {
    static Parcel of(String item) {
      return new Parcel(null, item);
    }
  }

  interface Parcels extends R2dbcRepository<Parcel, Long> {}

  @Configuration(proxyBeanMethods = false)
  @EnableR2dbcRepositories(
      considerNestedRepositories = true,
      basePackageClasses = SavedThroughBootTest.class,
      includeFilters =
          @ComponentScan.Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Parcels.class))
  static class Application {}

  static <T> T value(Mono<T> mono) {
    return mono.blockOptional(PATIENCE).orElseThrow();
  }

  static long id(Parcel saved) {
    return Objects.requireNonNull(saved.id(), "no id");
  }

  private static ApplicationContextRunner boot() {
    return new ApplicationContextRunner()
        .withConfiguration(
            Starter.with(
                SpannerR2dbcAutoConfiguration.class,
                R2dbcAutoConfiguration.class,
                R2dbcTransactionManagerAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                DataR2dbcAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .withPropertyValues(
            "millrace.create-table=true",
            "millrace.sequences.parcels.create=true",
            "millrace.sequences.parcels.start-value=1",
            "millrace.sequences.parcels.block-size=10");
  }

  abstract static class Behaviour {

    /** A pool of one connection is all the application has. */
    static ApplicationContextRunner over(R2dbcDatabase database) {
      return boot()
          .withBean(
              ConnectionPool.class,
              () ->
                  new ConnectionPool(
                      ConnectionPoolConfiguration.builder(
                              SpannerConnectionFactory.over(database.connections()))
                          .initialSize(0)
                          .maxSize(1)
                          .build()));
    }

    @Test
    void savedEntitiesHaveTheNumbersOfTheirSequence(R2dbcDatabase database) {
      over(database)
          .run(
              context -> {
                Parcels parcels = context.getBean(Parcels.class);
                parcels.deleteAll().block(PATIENCE);
                List<Parcel> saved =
                    value(
                        parcels
                            .saveAll(Flux.range(0, 25).map(i -> Parcel.of("item " + i)))
                            .collectList());
                assertThat(saved).hasSize(25);
                long first = id(saved.get(0));
                assertThat(saved)
                    .extracting(Parcel::id)
                    .containsExactlyElementsOf(
                        LongStream.range(first, first + 25).boxed().toList());
                assertThat(parcels.count().block(PATIENCE)).isEqualTo(25);
              });
    }

    @Test
    void valuesLeftOverAreGivenBackWhenTheContextCloses(R2dbcDatabase database) {
      long[] next = new long[1];
      over(database)
          .run(
              context -> {
                next[0] = id(value(context.getBean(Parcels.class).save(Parcel.of("one")))) + 1;
              });
      over(database)
          .run(
              context ->
                  assertThat(
                          value(context.getBean(SequenceStore.class).state("parcels")).nextValue())
                      .isEqualTo(next[0]));
    }
  }

  /** Where a transaction may wait for a reservation, since the two do not exclude each other. */
  abstract static class InTransactions extends Behaviour {

    @Test
    void aSaveInATransactionThatHoldsTheOnlyConnectionHasItsNumber(R2dbcDatabase database) {
      Behaviour.over(database)
          .withPropertyValues("millrace.defaults.acquire-timeout=20s")
          .run(
              context -> {
                Parcels parcels = context.getBean(Parcels.class);
                TransactionalOperator transactions = context.getBean(TransactionalOperator.class);
                Mono<Parcel> both =
                    parcels
                        .save(Parcel.of("first"))
                        .then(Mono.defer(() -> parcels.save(Parcel.of("second"))));
                Parcel saved = value(transactions.transactional(both));
                assertThat(parcels.findById(id(saved)).block(PATIENCE)).isEqualTo(saved);
              });
    }

    @Test
    void manySavesAtOnceInTransactionsOnTheOnlyConnectionHaveTheirNumbers(R2dbcDatabase database) {
      Behaviour.over(database)
          .withPropertyValues("millrace.defaults.acquire-timeout=60s")
          .run(
              context -> {
                Parcels parcels = context.getBean(Parcels.class);
                TransactionalOperator transactions = context.getBean(TransactionalOperator.class);
                List<Parcel> saved =
                    value(
                        Flux.range(0, 300)
                            .flatMap(
                                i ->
                                    transactions.transactional(
                                        Mono.defer(() -> parcels.save(Parcel.of("item " + i)))),
                                300)
                            .collectList());
                assertThat(saved).extracting(Parcel::id).hasSize(300).doesNotHaveDuplicates();
              });
    }
  }

  @Nested
  @DatabaseTest(
      value = DatabaseKind.H2,
      ddl = "CREATE TABLE \"parcel\" (id BIGINT PRIMARY KEY, item VARCHAR(20))")
  class OnH2 extends InTransactions {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.POSTGRESQL,
      ddl = "CREATE TABLE parcel (id BIGINT PRIMARY KEY, item VARCHAR(20))")
  class OnPostgreSql extends InTransactions {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.SPANNER,
      ddl = "CREATE TABLE parcel (id INT64, item STRING(20)) PRIMARY KEY (id)")
  class OnSpanner extends Behaviour {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.SPANNER_POSTGRESQL,
      ddl = "CREATE TABLE parcel (id BIGINT PRIMARY KEY, item VARCHAR(20))")
  class OnSpannerPostgreSql extends Behaviour {}
}
