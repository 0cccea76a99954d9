package io.millrace.spring.data.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Persistable;
import org.springframework.data.domain.Sort;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.Modifying;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.query.Criteria;
import org.springframework.data.relational.core.query.Update;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What Spring Data R2DBC does over Spanner, in both of its languages. */
@OnDatabases({SPANNER, SPANNER_POSTGRESQL})
class SpannerSpringDataTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant INSTANT = Instant.parse("1969-12-31T23:59:59.123456789Z");
  private static final LocalDate DATE = LocalDate.of(2024, 2, 29);
  private static final UUID A_UUID = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

  private static <T> T value(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(PATIENCE), "empty");
  }

  @Table("item")
  record Item(
      @Id @Nullable Long id,
      @Version @Nullable Long version,
      String name,
      @Nullable Long price,
      boolean sold) {
    static Item of(long id, String name, @Nullable Long price) {
      return new Item(id, null, name, price, false);
    }

    Item withName(String other) {
      return new Item(id, version, other, price, sold);
    }
  }

  record Name(String name) {}

  interface Priced {
    String getName();

    Long getPrice();
  }

  interface Items extends R2dbcRepository<Item, Long> {
    Flux<Item> findByNameOrderById(String name);

    Flux<Item> findByPriceBetweenAndSoldFalse(long least, long most, Sort sort);

    Flux<Item> findByNameContainingIgnoreCaseOrderByIdDesc(String part);

    Flux<Item> findByPriceIsNull();

    Flux<Item> findByIdIn(List<Long> ids, Pageable page);

    Flux<Item> findTop2ByOrderByPriceDesc();

    Flux<Item> findBySold(boolean sold, Limit limit);

    Mono<Boolean> existsByName(String name);

    Mono<Long> countByPriceGreaterThan(long price);

    Mono<Long> deleteByName(String name);

    Flux<Name> findNameByPrice(long price);

    Flux<Priced> findPricedByPrice(long price);

    @Query("SELECT * FROM item WHERE price >= :least AND name = :name OR name = :name")
    Flux<Item> cheapest(long least, String name);

    @Query("SELECT MAX(price) FROM item")
    Mono<Long> dearest();

    @Modifying
    @Query("UPDATE item SET sold = true WHERE price < :price")
    Mono<Integer> sellBelow(long price);
  }

  @Table("every_type")
  record EveryType(
      @Id String id,
      @Nullable Long aLong,
      @Nullable Integer anInteger,
      @Nullable Short aShort,
      @Nullable Double aDouble,
      @Nullable Float aFloat,
      @Nullable Boolean aBoolean,
      @Nullable Instant anInstant,
      @Nullable LocalDate aDate,
      @Nullable LocalDateTime aDateTime,
      @Nullable OffsetDateTime anOffset,
      @Nullable UUID aUuid,
      byte @Nullable [] bytes,
      @Nullable ByteBuffer buffer,
      @Nullable Kind kind)
      implements Persistable<String> {

    static EveryType empty(String id) {
      return new EveryType(
          id, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    @Override
    public String getId() {
      return id;
    }

    @Override
    public boolean isNew() {
      return true;
    }
  }

  enum Kind {
    SMALL,
    LARGE
  }

  interface EveryTypes extends R2dbcRepository<EveryType, String> {
    Flux<EveryType> findByAnInstantAndADateAndAUuid(Instant instant, LocalDate date, UUID uuid);

    @Query("SELECT * FROM every_type WHERE an_instant = :instant AND kind = :kind")
    Flux<EveryType> at(Instant instant, Kind kind);
  }

  static class Service {
    private final Items items;

    Service(Items items) {
      this.items = items;
    }

    @Transactional
    public Mono<Void> saveTwo(boolean fail) {
      return items
          .save(Item.of(1, "one", 1L))
          .then(items.save(Item.of(2, "two", 2L)))
          .then(fail ? Mono.error(new IllegalStateException("on purpose")) : Mono.empty());
    }
  }

  @Parameter R2dbcDatabase database;
  AnnotationConfigApplicationContext context;
  Items items;
  EveryTypes everyTypes;
  R2dbcEntityTemplate template;
  TransactionalOperator transactions;
  Service service;

  @BeforeParameterizedClassInvocation
  void start() {
    boolean postgreSql = database.kind() == DatabaseKind.SPANNER_POSTGRESQL;
    database.execute(
        postgreSql
            ? "CREATE TABLE item (id BIGINT PRIMARY KEY, version BIGINT, name VARCHAR, price"
                + " BIGINT, sold BOOLEAN)"
            : "CREATE TABLE item (id INT64, version INT64, name STRING(MAX), price INT64, sold"
                + " BOOL) PRIMARY KEY (id)",
        postgreSql
            ? "CREATE TABLE every_type (id VARCHAR PRIMARY KEY, a_long BIGINT, an_integer BIGINT,"
                + " a_short BIGINT, a_double FLOAT8, a_float FLOAT8, a_boolean BOOLEAN, an_instant"
                + " TIMESTAMPTZ, a_date DATE, a_date_time TIMESTAMPTZ, an_offset TIMESTAMPTZ,"
                + " a_uuid VARCHAR, bytes BYTEA, buffer BYTEA, kind VARCHAR)"
            : "CREATE TABLE every_type (id STRING(MAX), a_long INT64, an_integer INT64, a_short"
                + " INT64, a_double FLOAT64, a_float FLOAT64, a_boolean BOOL, an_instant TIMESTAMP,"
                + " a_date DATE, a_date_time TIMESTAMP, an_offset TIMESTAMP, a_uuid STRING(36),"
                + " bytes BYTES(MAX), buffer BYTES(MAX), kind STRING(MAX)) PRIMARY KEY (id)");
    context =
        SpringData.over(
            Pools.of(4, SpannerConnectionFactory.over(database.connections())), Service.class);
    items = context.getBean(Items.class);
    everyTypes = context.getBean(EveryTypes.class);
    template = context.getBean(R2dbcEntityTemplate.class);
    transactions = context.getBean(TransactionalOperator.class);
    service = context.getBean(Service.class);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (context != null) {
      context.close();
    }
  }

  @BeforeEach
  void empty() {
    items.deleteAll().then(everyTypes.deleteAll()).block(PATIENCE);
  }

  private void given(Item... all) {
    items.saveAll(List.of(all)).blockLast(PATIENCE);
  }

  @Test
  void rowsAreSavedReadChangedAndDeleted() {
    Item saved = value(items.save(Item.of(7, "seven", 70L)));
    assertThat(saved).isEqualTo(new Item(7L, 0L, "seven", 70L, false));
    assertThat(items.findById(7L).block(PATIENCE)).isEqualTo(saved);
    assertThat(items.existsById(7L).block(PATIENCE)).isTrue();

    Item changed = value(items.save(saved.withName("other")));
    assertThat(changed).isEqualTo(new Item(7L, 1L, "other", 70L, false));
    assertThat(items.findById(7L).block(PATIENCE)).isEqualTo(changed);

    items.delete(changed).block(PATIENCE);
    assertThat(items.findById(7L).block(PATIENCE)).isNull();
    assertThat(items.existsById(7L).block(PATIENCE)).isFalse();
  }

  @Test
  void manyAreSavedCountedAndAllDeleted() {
    Flux<Item> many = Flux.range(1, 20).map(i -> Item.of(i, "n" + i, (long) i));
    assertThat(items.saveAll(many).count().block(PATIENCE)).isEqualTo(20);
    assertThat(items.count().block(PATIENCE)).isEqualTo(20);
    assertThat(items.findAllById(List.of(3L, 4L, 99L)).count().block(PATIENCE)).isEqualTo(2);

    items.deleteById(3L).block(PATIENCE);
    items.deleteAll(List.of(Item.of(4, "", 0L), Item.of(5, "", 0L))).block(PATIENCE);
    assertThat(items.count().block(PATIENCE)).isEqualTo(17);

    items.deleteAll().block(PATIENCE);
    assertThat(items.count().block(PATIENCE)).isZero();
  }

  @Test
  void derivedQueriesFindWhatTheyName() {
    given(
        Item.of(1, "apple", 10L),
        Item.of(2, "Pineapple", 20L),
        Item.of(3, "pear", 30L),
        Item.of(4, "50%_\\x", null));

    assertThat(ids(items.findByNameOrderById("apple"))).containsExactly(1L);
    assertThat(ids(items.findByPriceBetweenAndSoldFalse(10, 25, Sort.by("price").descending())))
        .containsExactly(2L, 1L);
    assertThat(ids(items.findByNameContainingIgnoreCaseOrderByIdDesc("APPLE")))
        .containsExactly(2L, 1L);
    assertThat(ids(items.findByPriceIsNull())).containsExactly(4L);
    assertThat(ids(items.findTop2ByOrderByPriceDesc())).contains(3L);
    assertThat(ids(items.findBySold(false, Limit.of(3)))).hasSize(3);
    assertThat(ids(items.findBySold(true, Limit.of(3)))).isEmpty();
    assertThat(items.existsByName("pear").block(PATIENCE)).isTrue();
    assertThat(items.existsByName("plum").block(PATIENCE)).isFalse();
    assertThat(items.countByPriceGreaterThan(15).block(PATIENCE)).isEqualTo(2);
    assertThat(items.deleteByName("pear").block(PATIENCE)).isEqualTo(1);
    assertThat(items.count().block(PATIENCE)).isEqualTo(3);
    assertThat(ids(items.findByIdIn(List.of(), Pageable.unpaged()))).isEmpty();
  }

  @Test
  void pagesAndSortsAreThoseAskedFor() {
    given(
        LongStream.rangeClosed(1, 10).mapToObj(i -> Item.of(i, "n", 100 - i)).toArray(Item[]::new));
    List<Long> all = LongStream.rangeClosed(1, 10).boxed().toList();

    assertThat(ids(items.findByIdIn(all, PageRequest.of(1, 3, Sort.by("price")))))
        .containsExactly(7L, 6L, 5L);
    assertThat(ids(items.findAll(Sort.by(Sort.Order.desc("id"))))).startsWith(10L, 9L);
    assertThat(
            ids(
                template
                    .select(Item.class)
                    .matching(
                        org.springframework.data.relational.core.query.Query.empty()
                            .sort(Sort.by("id"))
                            .offset(8))
                    .all()))
        .containsExactly(9L, 10L);
    var page =
        value(
            items.findBy(
                Example.of(
                    new Item(null, null, "n", null, false),
                    org.springframework.data.domain.ExampleMatcher.matching()
                        .withIgnorePaths("version")),
                query -> query.page(PageRequest.of(2, 4, Sort.by("id")))));
    assertThat(page.getTotalElements()).isEqualTo(10);
    assertThat(page.getContent()).extracting(Item::id).containsExactly(9L, 10L);
  }

  @Test
  void queriesOfTheirOwnBindNamesMoreThanOnce() {
    given(Item.of(1, "a", 1L), Item.of(2, "b", 2L), Item.of(3, "c", null));

    assertThat(ids(items.cheapest(2, "a"))).containsExactly(1L);
    assertThat(items.dearest().block(PATIENCE)).isEqualTo(2);
    assertThat(items.sellBelow(2).block(PATIENCE)).isEqualTo(1);
    assertThat(value(items.findById(1L)).sold()).isTrue();
    assertThat(
            template
                .getDatabaseClient()
                .sql("SELECT name FROM item WHERE id IN (:ids) ORDER BY name")
                .bind("ids", List.of(1L, 3L))
                .fetch()
                .all()
                .collectList()
                .block(PATIENCE))
        .isEqualTo(List.of(Map.of("name", "a"), Map.of("name", "c")));
  }

  @Test
  void projectionsReadSomeColumns() {
    given(Item.of(1, "a", 5L));

    assertThat(items.findNameByPrice(5).collectList().block(PATIENCE))
        .containsExactly(new Name("a"));
    Priced priced = value(items.findPricedByPrice(5).next());
    assertThat(priced.getName()).isEqualTo("a");
    assertThat(priced.getPrice()).isEqualTo(5);
  }

  @Test
  void theTemplateInsertsSelectsUpdatesAndDeletes() {
    template.insert(Item.of(1, "a", null)).block(PATIENCE);
    template.insert(Item.of(2, "b", 2L)).block(PATIENCE);

    assertThat(
            template
                .update(Item.class)
                .matching(
                    org.springframework.data.relational.core.query.Query.query(
                        Criteria.where("price").isNull()))
                .apply(Update.update("price", 9L).set("sold", true))
                .block(PATIENCE))
        .isEqualTo(1);
    assertThat(items.findById(1L).block(PATIENCE)).isEqualTo(new Item(1L, 0L, "a", 9L, true));
    assertThat(
            template
                .update(Item.class)
                .matching(
                    org.springframework.data.relational.core.query.Query.query(
                        Criteria.where("id").is(1)))
                .apply(Update.update("price", null))
                .block(PATIENCE))
        .isEqualTo(1);
    assertThat(value(items.findById(1L)).price()).isNull();
    assertThat(template.delete(Item.class).all().block(PATIENCE)).isEqualTo(2);
  }

  @Test
  void anOutdatedVersionIsRefused() {
    Item saved = value(items.save(Item.of(1, "a", 1L)));
    items.save(saved.withName("b")).block(PATIENCE);

    assertThatThrownBy(() -> items.save(saved.withName("c")).block(PATIENCE))
        .isInstanceOf(OptimisticLockingFailureException.class);
    assertThat(value(items.findById(1L)).name()).isEqualTo("b");
  }

  @Test
  void everyTypeIsReadAsItWasWritten() {
    EveryType full =
        new EveryType(
            "full",
            Long.MIN_VALUE,
            -5,
            (short) -3,
            0.1,
            0.5f,
            true,
            INSTANT,
            DATE,
            LocalDateTime.of(2024, 2, 29, 12, 30, 1, 5_000),
            OffsetDateTime.of(2024, 2, 29, 12, 30, 0, 0, ZoneOffset.UTC),
            A_UUID,
            new byte[] {0, -1, 2},
            ByteBuffer.wrap(new byte[] {3, 4}),
            Kind.LARGE);
    everyTypes.save(full).block(PATIENCE);
    everyTypes.save(EveryType.empty("none")).block(PATIENCE);

    assertThat(everyTypes.findById("full").block(PATIENCE))
        .usingRecursiveComparison()
        .isEqualTo(full);
    assertThat(everyTypes.findById("none").block(PATIENCE)).isEqualTo(EveryType.empty("none"));
    assertThat(
            everyTypes
                .findByAnInstantAndADateAndAUuid(INSTANT, DATE, A_UUID)
                .count()
                .block(PATIENCE))
        .isEqualTo(1);
    assertThat(everyTypes.at(INSTANT, Kind.LARGE).count().block(PATIENCE)).isEqualTo(1);
  }

  @Test
  void aTransactionIsKeptOrUndoneAsAWhole() {
    service.saveTwo(false).block(PATIENCE);
    assertThat(items.count().block(PATIENCE)).isEqualTo(2);
    items.deleteAll().block(PATIENCE);

    assertThatThrownBy(() -> service.saveTwo(true).block(PATIENCE)).hasMessage("on purpose");
    assertThat(items.count().block(PATIENCE)).isZero();

    items.save(Item.of(3, "c", 1L)).as(transactions::transactional).block(PATIENCE);
    assertThat(items.count().block(PATIENCE)).isEqualTo(1);
    transactions
        .execute(
            status -> {
              status.setRollbackOnly();
              return items.save(Item.of(4, "d", 1L));
            })
        .blockLast(PATIENCE);
    assertThat(items.count().block(PATIENCE)).isEqualTo(1);
  }

  @Test
  void aTransactionMayCountLookAndTakeTheFirst() {
    given(Item.of(1, "a", 1L), Item.of(2, "b", 2L));

    Mono<Long> counted =
        items
            .count()
            .then(items.existsById(1L))
            .then(items.existsByName("b"))
            .then(items.countByPriceGreaterThan(0))
            .then(template.select(Item.class).first())
            .then(items.findAll().next())
            .then(items.save(Item.of(3, "c", 3L)))
            .then(items.count());

    assertThat(value(transactions.transactional(counted))).isEqualTo(3);
    assertThat(value(items.count())).isEqualTo(3);
  }

  private static List<Long> ids(Flux<Item> found) {
    return value(found.map(item -> Objects.requireNonNull(item.id())).collectList());
  }
}
