package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.Connection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledOptimizer;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Applications with Hibernate ORM and with Millrace take ids from the same sequences of a database
 * at the same time.
 */
@DatabaseTest(DatabaseKind.POSTGRESQL)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HibernateSequencesTest {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int APPLICATIONS = 2;
  private static final int IDS_OF_EACH_THREAD = 25_000;
  private static final int IDS_OF_EACH_GENERATOR = 30_000;

  interface Row {
    long id();
  }

  /** Has the defaults: {@code initialValue} 1 and {@code allocationSize} 50. */
  @Entity(name = "Purchase")
  static class Purchase implements Row {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "order_id")
    @jakarta.persistence.SequenceGenerator(name = "order_id", sequenceName = "order_id")
    long id;

    @Override
    public long id() {
      return id;
    }
  }

  @Entity(name = "Receipt")
  static class Receipt implements Row {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "receipt_id")
    @jakarta.persistence.SequenceGenerator(
        name = "receipt_id",
        sequenceName = "receipt_id",
        allocationSize = 1)
    long id;

    @Override
    public long id() {
      return id;
    }
  }

  private R2dbcDatabase database;
  private String url;
  private Scheduler threads;

  @BeforeAll
  void connect(R2dbcDatabase created) {
    database = created;
    threads = Schedulers.newBoundedElastic(8, 8, "hibernate");
    String name =
        Mono.usingWhen(
                Mono.defer(() -> Mono.from(created.connections().create())),
                connection ->
                    Results.firstValue(
                        connection.createStatement("SELECT current_database()"), String.class),
                Connection::close)
            .blockOptional(LIMIT)
            .orElseThrow();
    url = "jdbc:postgresql://localhost:" + PostgresServer.shared().port() + "/" + name;
  }

  @AfterAll
  void end() {
    threads.dispose();
  }

  /** A schema with the sequences that Hibernate's own DDL would create. */
  private void createSchema(String schema) {
    database.execute(
        "CREATE SCHEMA " + schema,
        "CREATE SEQUENCE " + schema + ".order_id START WITH 1 INCREMENT BY 50",
        "CREATE SEQUENCE " + schema + ".receipt_id START WITH 1 INCREMENT BY 1");
  }

  private SessionFactory hibernate(String schema, String optimizer) {
    return new Configuration()
        .setProperty("hibernate.connection.url", url)
        .setProperty("hibernate.connection.username", "postgres")
        .setProperty("hibernate.connection.password", "postgres")
        .setProperty("hibernate.default_schema", schema)
        .setProperty("hibernate.id.optimizer.pooled.preferred", optimizer)
        .addAnnotatedClass(Purchase.class)
        .addAnnotatedClass(Receipt.class)
        .buildSessionFactory();
  }

  /** What one thread of an application with Hibernate gets. */
  private Mono<long[]> ids(SessionFactory hibernate, Supplier<Row> rows, int count) {
    return Mono.fromCallable(
            () ->
                hibernate.fromSession(
                    session ->
                        IntStream.range(0, count)
                            .mapToLong(
                                i -> {
                                  Row row = rows.get();
                                  session.persist(row);
                                  if (i % 1_000 == 0) {
                                    session.clear();
                                  }
                                  return row.id();
                                })
                            .toArray()))
        .subscribeOn(threads);
  }

  /** What an application with Millrace gets. */
  private Mono<long[]> ids(R2dbcNativeSequenceStore store, String sequence, int blockSize) {
    SequenceGenerator ids =
        SequenceGenerator.builder(store, sequence).blockSize(blockSize).lowWatermark(20).build();
    return ids.values()
        .take(IDS_OF_EACH_GENERATOR)
        .collectList()
        .map(values -> values.stream().mapToLong(Long::longValue).toArray())
        .delayUntil(values -> ids.disposeLater())
        .subscribeOn(threads);
  }

  private R2dbcNativeSequenceStore store(boolean pooledLo) {
    return pooledLo
        ? R2dbcNativeSequenceStore.createPooledLo(database.connections())
        : R2dbcNativeSequenceStore.create(database.connections());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pooled", "pooled-lo"})
  void noIdIsIssuedTwiceWhileBothTakeThem(String optimizer) {
    String schema = optimizer.replace('-', '_');
    createSchema(schema);
    boolean pooledLo = optimizer.equals("pooled-lo");
    List<SessionFactory> applications =
        IntStream.range(0, APPLICATIONS).mapToObj(i -> hibernate(schema, optimizer)).toList();
    List<R2dbcNativeSequenceStore> stores =
        IntStream.range(0, APPLICATIONS).mapToObj(i -> store(pooledLo)).toList();
    applications.forEach(
        each ->
            assertThat(optimizerOf(each))
                .isInstanceOf(pooledLo ? PooledLoOptimizer.class : PooledOptimizer.class));
    List<Mono<long[]>> takers = new ArrayList<>();
    List<Mono<long[]>> takersOfReceipts = new ArrayList<>();
    for (int i = 0; i < APPLICATIONS; i++) {
      takers.add(ids(applications.get(i), Purchase::new, IDS_OF_EACH_THREAD));
      takers.add(ids(applications.get(i), Purchase::new, IDS_OF_EACH_THREAD));
      takers.add(ids(stores.get(i), schema + ".order_id", i == 0 ? 50 : 330));
      takersOfReceipts.add(ids(applications.get(i), Receipt::new, 2_000));
      takersOfReceipts.add(ids(stores.get(i), schema + ".receipt_id", 100));
    }

    List<List<long[]>> taken =
        Flux.mergeSequential(
                List.of(
                    Flux.merge(Flux.fromIterable(takers), 8, 1).collectList(),
                    Flux.merge(Flux.fromIterable(takersOfReceipts), 8, 1).collectList()))
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();

    assertNoneTwice(taken.get(0), APPLICATIONS * (2 * IDS_OF_EACH_THREAD + IDS_OF_EACH_GENERATOR));
    assertNoneTwice(taken.get(1), APPLICATIONS * (2_000 + IDS_OF_EACH_GENERATOR));
    applications.forEach(SessionFactory::close);
    Flux.fromIterable(stores).flatMap(R2dbcNativeSequenceStore::close).blockLast(LIMIT);
  }

  private static void assertNoneTwice(List<long[]> taken, int count) {
    long[] all = taken.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    assertThat(all).hasSize(count);
    assertThat(all[0]).as("the start value").isEqualTo(1);
    assertThat(LongStream.range(1, count).filter(i -> all[(int) i - 1] == all[(int) i]).count())
        .as("ids that were issued twice")
        .isZero();
  }

  private static Object optimizerOf(SessionFactory hibernate) {
    return ((SequenceStyleGenerator)
            hibernate
                .unwrap(SessionFactoryImplementor.class)
                .getMappingMetamodel()
                .getEntityDescriptor(Purchase.class)
                .getGenerator())
        .getOptimizer();
  }
}
