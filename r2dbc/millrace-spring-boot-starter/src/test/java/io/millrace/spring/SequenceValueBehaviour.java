package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.r2dbc.config.EnableR2dbcAuditing;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * What a database's repositories and template do with entities that sequences number. The context
 * is started once, over a pool of one connection; each test has sequences of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SequenceValueBehaviour {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BLOCK = 5;

  /** Ten blocks. */
  private static final int MANY = 10 * BLOCK;

  @Table
  record Invoice(
      @Id @SequenceValue("invoice_id") @Nullable Long id,
      String customer,
      @SequenceValue(value = "invoice_no", key = "bit-reversed") long number) {

    static Invoice of(String customer) {
      return new Invoice(null, customer, 0);
    }
  }

  @Table
  static class Parcel {
    @Id
    @SequenceValue("parcel_id")
    long id;

    @Version @Nullable Long version;
    @CreatedDate @Nullable Instant createdAt;
  }

  interface Invoices extends ReactiveCrudRepository<Invoice, Long> {}

  interface Parcels extends ReactiveCrudRepository<Parcel, Long> {}

  @EnableR2dbcAuditing
  static class Auditing {}

  private InMemorySequenceStore store;
  private final Map<String, SequenceGenerator> generators = new ConcurrentHashMap<>();
  private AnnotationConfigApplicationContext context;
  private ConnectionPool pool;
  private Invoices invoices;
  private Parcels parcels;
  private TransactionalOperator transactions;
  private R2dbcEntityTemplate template;

  @BeforeAll
  void start(R2dbcDatabase database) {
    boolean googleSql = database.kind() == DatabaseKind.SPANNER;
    database.execute(
        googleSql
            ? "CREATE TABLE invoice (id INT64, customer STRING(MAX), number INT64) PRIMARY KEY (id)"
            : "CREATE TABLE invoice (id BIGINT PRIMARY KEY, customer VARCHAR(99), number BIGINT)",
        googleSql
            ? "CREATE TABLE parcel (id INT64, version INT64, created_at TIMESTAMP) PRIMARY KEY (id)"
            : "CREATE TABLE parcel (id BIGINT PRIMARY KEY, version BIGINT, created_at TIMESTAMP"
                + (database.kind() == DatabaseKind.SPANNER_POSTGRESQL ? "TZ)" : ")"));
    startSequences(); // the callback looks for them at start
    pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(
                    SpannerConnectionFactory.over(database.connections()))
                .initialSize(0)
                .maxSize(1)
                .build());
    context =
        SpringData.over(
            pool,
            definitions ->
                definitions.registerBean(
                    SequenceValueCallback.class,
                    () ->
                        new SequenceValueCallback(
                            definitions.getBean(R2dbcMappingContext.class),
                            (String name) -> (Sequence) generators.get(name),
                            name -> null)),
            Auditing.class);
    invoices = context.getBean(Invoices.class);
    parcels = context.getBean(Parcels.class);
    transactions = context.getBean(TransactionalOperator.class);
    template = context.getBean(R2dbcEntityTemplate.class);
  }

  @BeforeEach
  void startSequences() {
    store = InMemorySequenceStore.withSequence("invoice_id", 1);
    store.create("invoice_no", 1).then(store.create("parcel_id", 1)).block(PATIENCE);
    Stream.of("invoice_id", "invoice_no", "parcel_id")
        .forEach(
            name ->
                generators.put(
                    name, SequenceGenerator.builder(store, name).blockSize(BLOCK).build()));
  }

  @AfterEach
  void deleteRows(R2dbcDatabase database) {
    database.execute("DELETE FROM invoice WHERE true", "DELETE FROM parcel WHERE true");
  }

  @AfterAll
  void stop() {
    context.close();
    pool.disposeLater().block(PATIENCE);
  }

  private long taken(String sequence) {
    return generator(sequence).snapshot().issued();
  }

  private SequenceGenerator generator(String sequence) {
    return Objects.requireNonNull(generators.get(sequence));
  }

  private static List<Invoice> unnumbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> Invoice.of("c" + i)).toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void saveFillsEachAnnotatedPropertyOfANewEntityOnce() {
    Invoice expected = new Invoice(1L, "a", BitReversal.PRESERVING_SIGN.apply(1L));

    StepVerifier.create(invoices.save(Invoice.of("a"))).expectNext(expected).verifyComplete();
    StepVerifier.create(invoices.findById(1L)).expectNext(expected).verifyComplete();

    Invoice changed = new Invoice(1L, "b", expected.number());
    StepVerifier.create(invoices.save(changed)).expectNext(changed).verifyComplete();
    StepVerifier.create(invoices.findById(1L)).expectNext(changed).verifyComplete();
    assertThat(taken("invoice_id")).isEqualTo(1);
  }

  @Test
  void insertOfTheTemplateFillsToo() {
    StepVerifier.create(template.insert(Invoice.of("a")).map(Invoice::id))
        .expectNext(1L)
        .verifyComplete();
    StepVerifier.create(template.insert(Invoice.class).using(Invoice.of("a")).map(Invoice::id))
        .expectNext(2L)
        .verifyComplete();
  }

  @Test
  void saveAllNumbersEntitiesInTheirOrder() {
    List<Invoice> entities = unnumbered(12);

    List<Invoice> saved = invoices.saveAll(entities).collectList().block(PATIENCE);
    assertThat(saved).extracting(Invoice::id).isEqualTo(upTo(12));
    assertThat(saved)
        .extracting(Invoice::customer)
        .isEqualTo(entities.stream().map(Invoice::customer).toList());

    assertThat(
            invoices
                .saveAll(Flux.fromIterable(entities))
                .map(Invoice::id)
                .collectList()
                .block(PATIENCE))
        .isEqualTo(LongStream.rangeClosed(13, 24).boxed().toList());
  }

  @Test
  void tenReservationsNumberTenBlocksOfEntities() {
    Flux<Invoice> saved =
        invoices
            .saveAll(Flux.range(0, MANY).map(i -> new Invoice(null, "c", i + 1)))
            .as(transactions::transactional);

    assertThat(saved.map(Invoice::id).collectList().block(PATIENCE)).isEqualTo(upTo(MANY));

    assertThat(store.reservations()).isEqualTo(10);
    assertThat(taken("invoice_id")).isEqualTo(MANY);
    assertThat(generator("invoice_id").snapshot().buffered()).isZero();
    StepVerifier.create(invoices.count()).expectNext((long) MANY).verifyComplete();
  }

  @Test
  void noNumberIsTakenForAnEntityThatIsNotSaved() {
    StepVerifier.create(invoices.saveAll(Flux.fromIterable(unnumbered(100))), 3)
        .expectNextCount(3)
        .thenCancel()
        .verify(PATIENCE);

    // The one after the third may have been begun when the cancel came.
    assertThat(taken("invoice_id")).isBetween(3L, 4L);
  }

  @Test
  void auditingAndVersionsSeeANewEntity() {
    Parcel parcel = Objects.requireNonNull(parcels.save(new Parcel()).block(PATIENCE));

    assertThat(parcel.id).isEqualTo(1);
    assertThat(parcel.version).isZero();
    assertThat(parcel.createdAt).isNotNull();
    parcels.save(parcel).block(PATIENCE);
    Parcel read = Objects.requireNonNull(parcels.findById(1L).block(PATIENCE));
    assertThat(read.version).isEqualTo(1);
    assertThat(taken("parcel_id")).isEqualTo(1);
  }

  @Test
  void aSequenceThatFailsFailsTheSaveAndUndoesItsTransaction() {
    Mono<Void> saves =
        invoices
            .save(Invoice.of("a"))
            .doOnNext(saved -> generator("invoice_id").dispose())
            .then(invoices.save(Invoice.of("b")))
            .then()
            .as(transactions::transactional);

    StepVerifier.create(saves).verifyError(io.millrace.SequenceDisposedException.class);
    StepVerifier.create(invoices.count()).expectNext(0L).verifyComplete();
  }
}
