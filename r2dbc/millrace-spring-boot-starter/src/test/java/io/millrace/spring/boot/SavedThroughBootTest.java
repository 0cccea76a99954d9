package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.r2dbc.config.EnableR2dbcAuditing;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Entities, a repository and properties: the numbers are there, on each database. */
class SavedThroughBootTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int BLOCK = 10;

  @Table("parcel")
  record Parcel(
      @Id @SequenceValue("parcels") @Nullable Long id,
      String item,
      @Version @Nullable Long version,
      @CreatedDate @Nullable Instant created) {
    static Parcel of(String item) {
      return new Parcel(null, item, null, null);
    }
  }

  interface Parcels extends R2dbcRepository<Parcel, Long> {}

  @Configuration(proxyBeanMethods = false)
  @EnableR2dbcAuditing
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

  private static Flux<Parcel> parcels(int count) {
    return Flux.range(0, count).map(i -> Parcel.of("item " + i));
  }

  abstract static class Behaviour {

    /** The application has a pool of one connection. */
    void run(R2dbcDatabase database, ContextConsumer<AssertableApplicationContext> test) {
      Starter.onH2()
          .withConfiguration(
              AutoConfigurations.of(
                  SpannerR2dbcAutoConfiguration.class, TransactionAutoConfiguration.class))
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "millrace.create-table=true",
              "millrace.defaults.acquire-timeout=60s",
              "millrace.sequences.parcels.create=true",
              "millrace.sequences.parcels.start-value=1",
              "millrace.sequences.parcels.block-size=" + BLOCK)
          .withBean(
              ConnectionPool.class,
              () -> Pools.of(1, SpannerConnectionFactory.over(database.connections())))
          .run(test);
    }

    @Test
    void numbersSavedEntitiesInOrderWithOneReservationForEachBlock(R2dbcDatabase database) {
      run(
          database,
          context -> {
            Parcels repository = context.getBean(Parcels.class);
            repository.deleteAll().block(PATIENCE);
            List<Parcel> saved = value(repository.saveAll(parcels(3 * BLOCK)).collectList());
            long first = id(saved.get(0));
            assertThat(saved)
                .extracting(Parcel::id)
                .containsExactlyElementsOf(
                    LongStream.range(first, first + 3 * BLOCK).boxed().toList());
            assertThat(repository.count().block(PATIENCE)).isEqualTo(3 * BLOCK);
            assertThat(context.getBean(SequenceGenerator.class).snapshot().reservations())
                .isEqualTo(3);
          });
    }

    @Test
    void savesAndInsertsWithAuditingAndVersions(R2dbcDatabase database) {
      run(
          database,
          context -> {
            Parcels repository = context.getBean(Parcels.class);
            Parcel saved = value(repository.save(Parcel.of("tea")));
            assertThat(saved.version()).isZero();
            assertThat(saved.created()).isNotNull();
            assertThat(value(repository.save(saved)))
                .extracting(Parcel::id, Parcel::version)
                .containsExactly(saved.id(), 1L);
            Parcel inserted =
                value(context.getBean(R2dbcEntityTemplate.class).insert(Parcel.of("rice")));
            assertThat(id(inserted)).isEqualTo(id(saved) + 1);
          });
    }

    @Test
    void takesNoNumberForEntitiesThatAreNotSaved(R2dbcDatabase database) {
      run(
          database,
          context -> {
            StepVerifier.create(context.getBean(Parcels.class).saveAll(parcels(100)), 3)
                .expectNextCount(3)
                .thenCancel()
                .verify(PATIENCE);
            // The one after the third may have been begun when the cancel came.
            assertThat(context.getBean(SequenceGenerator.class).snapshot().issued())
                .isBetween(3L, 4L);
          });
    }

    @Test
    void releasesUnusedValuesWhenTheContextCloses(R2dbcDatabase database) {
      long[] next = new long[1];
      run(
          database,
          context ->
              next[0] = id(value(context.getBean(Parcels.class).save(Parcel.of("one")))) + 1);
      run(
          database,
          context ->
              assertThat(value(context.getBean(SequenceStore.class).state("parcels")).nextValue())
                  .isEqualTo(next[0]));
    }
  }

  /** Databases in which a reservation does not wait for the transaction that needs it. */
  abstract static class InTransactions extends Behaviour {

    @Test
    void manySavesAtOnceInTransactionsOnTheOnlyConnectionHaveTheirNumbers(R2dbcDatabase database) {
      run(
          database,
          context -> {
            Parcels parcels = context.getBean(Parcels.class);
            TransactionalOperator transactions = context.getBean(TransactionalOperator.class);
            Flux<Mono<Parcel>> saves =
                parcels(300).map(each -> transactions.transactional(parcels.save(each)));
            assertThat(value(saves.flatMap(save -> save, 300).collectList()))
                .extracting(Parcel::id)
                .hasSize(300)
                .doesNotHaveDuplicates();
          });
    }
  }

  private static final String TABLE =
      "(id BIGINT PRIMARY KEY, item VARCHAR(20), version BIGINT, created TIMESTAMP)";

  @Nested
  @DatabaseTest(value = DatabaseKind.H2, ddl = "CREATE TABLE \"parcel\" " + TABLE)
  class OnH2 extends InTransactions {}

  @Nested
  @DatabaseTest(value = DatabaseKind.POSTGRESQL, ddl = "CREATE TABLE parcel " + TABLE)
  class OnPostgreSql extends InTransactions {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.SPANNER,
      ddl =
          "CREATE TABLE parcel (id INT64, item STRING(20), version INT64, created TIMESTAMP)"
              + " PRIMARY KEY (id)")
  class OnSpanner extends Behaviour {}
}
