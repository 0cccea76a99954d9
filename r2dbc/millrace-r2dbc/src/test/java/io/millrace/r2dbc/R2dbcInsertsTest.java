package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.Readable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What pipelines promise on each database. */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class R2dbcInsertsTest {

  record Order(long id, @Nullable String customer) {

    void writeTo(InsertRow row) {
      row.set("id", id).set("customer", customer, String.class);
    }
  }

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Throwable LOST = new R2dbcNonTransientResourceException("connection reset");
  private static final Predicate<String> COMMIT = "commit"::equals;
  private static final Predicate<String> INSERT = WatchedConnections::isInsert;

  /** Each test has its own range of ids. */
  private static final AtomicLong RANGES = new AtomicLong();

  @Parameter R2dbcDatabase database;
  private R2dbcDialect dialect;
  private WatchedConnections watched;
  private long base;

  @BeforeParameterizedClassInvocation
  void createTables() {
    dialect = Objects.requireNonNull(R2dbcDialect.of(database.pooled()).block(LIMIT));
    database.execute(
        database
            .kind()
            .quoted(
                "CREATE TABLE \"orders\" (\"id\" BIGINT NOT NULL PRIMARY KEY, \"customer\""
                    + " VARCHAR(20) NOT NULL, \"note\" VARCHAR(100) DEFAULT 'none')"),
        database
            .kind()
            .quoted(
                "CREATE TABLE \"pairs\" (\"a\" VARCHAR(9) NOT NULL, \"b\" BIGINT NOT NULL,"
                    + " \"n\" DOUBLE PRECISION, PRIMARY KEY (\"a\", \"b\"))"),
        database.kind().quoted("CREATE TABLE \"rounded\" (\"id\" NUMERIC(12) PRIMARY KEY)"));
  }

  @BeforeEach
  void connect() {
    watched = new WatchedConnections(database.pooled());
    base = RANGES.incrementAndGet() * 1_000_000;
  }

  @AfterEach
  void everyConnectionIsGivenBackOnce() {
    watched.awaitClosed();
    assertThat(watched.closedTwice()).isZero();
  }

  private R2dbcInserts<Order> inserts(BiConsumer<Order, InsertRow> columns) {
    return keyless(columns).key("id");
  }

  private R2dbcInserts<Order> keyless(BiConsumer<Order, InsertRow> columns) {
    return quick(R2dbcInserts.<Order>into(watched, "orders", columns)).dialect(dialect);
  }

  private static <T> R2dbcInserts<T> quick(R2dbcInserts<T> inserts) {
    return inserts.retries(3, Duration.ofMillis(1), Duration.ofMillis(10));
  }

  private R2dbcInserts<Order> inserts() {
    return inserts(Order::writeTo);
  }

  private Flux<Order> orders(int count) {
    return Flux.range(0, count).map(i -> new Order(base + i, "c" + i % 7));
  }

  private static <T> List<T> await(Flux<T> flux) {
    return flux.collectList().blockOptional(LIMIT).orElseThrow();
  }

  private List<InsertOutcome<Order>> outcomes(int count, R2dbcInserts<Order> inserts) {
    List<InsertOutcome<Order>> outcomes =
        await(orders(count).transform(inserts.ordered().outcomes()));
    assertThat(outcomes)
        .extracting(outcome -> outcome.row().id())
        .containsExactlyElementsOf(ids(count));
    return outcomes;
  }

  private static InsertFailedException failure(Flux<?> flux) {
    return Objects.requireNonNull(
        catchThrowableOfType(InsertFailedException.class, () -> flux.blockLast(LIMIT)));
  }

  private List<Long> ids(int count) {
    return LongStream.range(base, base + count).boxed().toList();
  }

  private static void assertAll(List<? extends InsertOutcome<?>> outcomes, Class<?> kind) {
    assertThat(outcomes).isNotEmpty().allSatisfy(o -> assertThat(o).isInstanceOf(kind));
  }

  /** A column of the rows of this test's range, by id. */
  private Map<Long, Object> stored(String column) {
    String query = "SELECT \"id\", \"%s\" FROM \"orders\" WHERE \"id\" >= %d AND \"id\" < %d";
    Map<Long, Object> stored = new TreeMap<>();
    database
        .query(
            query.formatted(column, base, base + 1_000_000),
            row -> Map.entry(number(row), "" + row.get(1, String.class)))
        .forEach(row -> stored.put(row.getKey(), row.getValue()));
    return stored;
  }

  private static long number(Readable row) {
    return Objects.requireNonNull(row.get(0, Long.class));
  }

  private Map<Long, Object> stored() {
    return stored("customer");
  }

  private void store(long id, String customer) {
    String insertion = "INSERT INTO \"orders\" (\"id\", \"customer\") VALUES (%d, '%s')";
    database.execute(database.kind().quoted(insertion.formatted(id, customer)));
  }

  private long count(String event) {
    return watched.log().stream().filter(event::equals).count();
  }

  /** Loses the next commit, and does other work before the transaction after it. */
  private void loseCommitAndThen(Mono<?> work) {
    watched.atNext(
        COMMIT,
        commit -> {
          watched.atNext("begin"::equals, begin -> work.thenMany(begin));
          return Flux.error(LOST);
        });
  }

  @Test
  void aGroupIsOneTransactionOfFewStatements() {
    List<Committed<Order>> commits =
        await(orders(500).transform(keyless(Order::writeTo).concurrency(1).commits()));

    assertThat(commits).hasSize(500).allSatisfy(c -> assertThat(c.timestamp()).isEmpty());
    assertThat(watched.log())
        .startsWith("create", "begin")
        .endsWith("commit", "close")
        .filteredOn(INSERT)
        .hasSize(1);
  }

  @Test
  void aGroupWithAKeyIsOneStatement() {
    await(orders(600).transform(inserts().groupSize(300).concurrency(1).rows()));

    assertThat(stored()).hasSize(600);
    List<String> log = watched.log();
    List<String> last = log.subList(log.lastIndexOf("create"), log.size());
    assertThat(last).hasSize(3).doesNotContain("begin");
  }

  @Test
  void aRefusedStatementIsNotRepeated() {
    store(base, "other");
    assertThat(outcomes(1, inserts())).hasOnlyElementsOfType(Rejected.class);
    assertThat(watched.log()).filteredOn(INSERT).hasSize(1);
    assertThat(watched.log()).filteredOn("create"::equals).as("with the look-up").hasSize(1);
  }

  @Test
  void rowsThatTakeSeveralStatementsAreWrittenInATransaction() {
    BiConsumer<Order, InsertRow> someWithNotes =
        (order, row) -> {
          order.writeTo(row);
          if (order.id() % 2 == 0) {
            row.set("note", "even");
          }
        };
    await(orders(4).transform(inserts(someWithNotes).rows()));

    assertThat(stored()).hasSize(4);
    assertThat(watched.log()).contains("begin", "commit");
  }

  @Test
  void rowsWithoutTheirKeyAreWrittenInATransaction() {
    BiConsumer<Order, InsertRow> none =
        (order, row) ->
            row.set("id", order.id()).set("customer", "c").set("note", null, String.class);
    await(orders(1).transform(inserts(none).key("note").rows()));
    await(orders(2).skip(1).transform(inserts().key("note").rows()));

    assertThat(stored()).hasSize(2);
    assertThat(count("begin")).isEqualTo(2);
  }

  @Test
  void aDuplicateKeyFailsItsGroup() {
    store(base + 15, "other");

    InsertFailedException failure =
        failure(orders(30).transform(inserts().groupSize(10).concurrency(1).rows()));

    assertThat(failure.rows())
        .extracting(row -> ((Order) row).id())
        .containsExactlyElementsOf(ids(20).subList(10, 20));
    assertThat(failure.committed()).isEqualTo(10);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(dialect.failure(Objects.requireNonNull(failure.getCause())))
        .isEqualTo(ErrorCategory.DUPLICATE_KEY);
    assertThat(stored()).hasSize(11).containsEntry(base + 15, "other");
  }

  @Test
  void rejectsOnlyARowWithADuplicateKey() {
    store(base + 15, "other");
    store(base + 28, "other");

    List<InsertOutcome<Order>> outcomes = outcomes(40, inserts().groupSize(20).concurrency(2));

    assertThat(outcomes)
        .filteredOn(outcome -> !(outcome instanceof Committed))
        .hasOnlyElementsOfType(Rejected.class)
        .extracting(outcome -> outcome.row().id())
        .containsExactly(base + 15, base + 28);
    assertThat(stored())
        .hasSize(40)
        .containsEntry(base + 15, "other")
        .containsEntry(base + 16, "c2");
  }

  /** The rows of five that are rejected, and why, when one has something wrong with it. */
  private Throwable onlyRejected(BiConsumer<Order, InsertRow> columns) {
    List<InsertOutcome<Order>> outcomes = outcomes(5, inserts(columns));
    assertThat(outcomes)
        .filteredOn(Rejected.class::isInstance)
        .extracting(outcome -> outcome.row().id())
        .containsExactly(base + 2);
    assertThat(stored()).containsOnlyKeys(base, base + 1, base + 3, base + 4);
    return ((Rejected<Order>) outcomes.get(2)).reason();
  }

  private void writeOr(Order order, InsertRow row, BiConsumer<Order, InsertRow> wrong) {
    if (order.id() == base + 2) {
      wrong.accept(order, row);
    } else {
      order.writeTo(row);
    }
  }

  @Test
  void rejectsOnlyARowWithAnUnknownColumn() {
    Throwable reason =
        onlyRejected(
            (order, row) -> writeOr(order, row, (o, r) -> r.set("id", o.id()).set("nope", 1L)));
    assertThat(reason).hasMessageContaining("nope");
  }

  @Test
  void rejectsOnlyARowThatTheDriverCannotBind() {
    Throwable reason =
        onlyRejected(
            (order, row) ->
                writeOr(order, row, (o, r) -> r.set("id", o.id()).set("customer", new Thread())));
    assertThat(reason).isNotInstanceOf(NullPointerException.class);
    assertThat(reason.getMessage()).contains("Thread");
    assertThat(count("begin")).as("tried again only in halves").isLessThan(20);
  }

  @Test
  void rejectsAGroupWhoseTableIsMissing() {
    R2dbcInserts<Order> nowhere =
        quick(R2dbcInserts.into(watched, "nowhere", Order::writeTo)).dialect(dialect);

    assertAll(outcomes(10, nowhere), Rejected.class);
    assertThat(watched.statements()).hasSize(2);
  }

  @Test
  void rowsOfOneGroupMaySetOtherColumns() {
    R2dbcInserts<Order> mixed =
        inserts(
            (order, row) -> {
              order.writeTo(row);
              switch ((int) (order.id() % 3)) {
                case 0 -> row.set("note", "set");
                case 1 -> row.set("note", null, String.class);
                default -> {}
              }
            });

    assertThat(await(orders(30).transform(mixed.ordered().rows())))
        .extracting(Order::id)
        .containsExactlyElementsOf(ids(30));

    assertThat(stored("note").entrySet())
        .hasSize(30)
        .allSatisfy(
            row ->
                assertThat(row.getValue())
                    .isEqualTo(List.of("set", "null", "none").get((int) (row.getKey() % 3))));
  }

  @Test
  void findsALostCommitThatTakesEffectAfterTheLookUp() {
    loseCommitAndThen(
        Mono.fromRunnable(() -> store(base, "c0")).subscribeOn(Schedulers.boundedElastic()));
    assertAll(outcomes(1, inserts()), Committed.class);
    assertThat(stored()).hasSize(1);
    assertThat(watched.commits()).isOne();
  }

  /** The look-up misses the row, and a second write is refused. */
  @Test
  void aRowWithARoundedKeyIsUnknownAfterALostAnswer() {
    R2dbcInserts<Order> rounded =
        quick(
                R2dbcInserts.<Order>into(
                    watched,
                    "rounded",
                    (order, row) ->
                        row.set(
                            "id",
                            BigDecimal.valueOf(order.id() * 10 + (order.id() == base ? 4 : 0), 1))))
            .dialect(dialect)
            .key("id");
    watched.loseAnswer(COMMIT, LOST);

    List<InsertOutcome<Order>> outcomes = outcomes(3, rounded);

    assertThat(outcomes).hasExactlyElementsOfTypes(Unknown.class, Committed.class, Committed.class);
    assertThat(outcomes(1, rounded)).as("it is there").hasOnlyElementsOfType(Rejected.class);
  }

  /** Another process writes one of the rows, so that the rest of the group shows its absence. */
  @Test
  void rejectsAGroupThatIsRefusedAfterALostCommitWithoutEffect() {
    watched.atNext(
        COMMIT,
        work -> {
          watched.atNext(
              event -> event.startsWith("SELECT"),
              look ->
                  Mono.fromRunnable(() -> store(base, "another"))
                      .subscribeOn(Schedulers.boundedElastic())
                      .thenMany(look));
          return Flux.error(LOST);
        });
    List<InsertOutcome<Order>> outcomes = outcomes(2, inserts().groupSize(2).concurrency(1));

    assertThat(outcomes).hasExactlyElementsOfTypes(Rejected.class, Committed.class);
    assertThat(stored()).containsEntry(base, "another").containsEntry(base + 1, "c1");
  }

  /** Whichever of the two rows is read first, only one of them is as it was sent. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aRowThatSharesItsKeyIsUnknown(int distance) {
    String customer = "u" + base;
    store(base + distance, customer);
    watched.loseAnswer(COMMIT, LOST);
    List<InsertOutcome<Order>> outcomes =
        outcomes(
            1,
            inserts((order, row) -> row.set("id", order.id()).set("customer", customer))
                .key("customer"));
    assertAll(outcomes, Unknown.class);
    assertThat(stored()).containsEntry(base, customer);
  }

  @Test
  void withoutAKeyALostAnswerStaysUnknown() {
    watched.loseAnswer(COMMIT, LOST);
    InsertFailedException failure = failure(orders(3).transform(keyless(Order::writeTo).rows()));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure).hasRootCauseMessage("connection reset");
    assertThat(watched.statements()).as("nothing is looked for").allMatch(INSERT);
  }

  @Test
  void aRowWithoutItsKeyCannotBeFound() {
    watched.loseAnswer(COMMIT, LOST);
    List<InsertOutcome<Order>> outcomes = outcomes(1, inserts().key("note"));
    assertAll(outcomes, Unknown.class);
    assertThat(((Unknown<Order>) outcomes.get(0)).reason())
        .hasMessage("column 'note' of the key is not in the row");
  }

  @Test
  void aKeyMayHaveSeveralColumns() {
    R2dbcInserts<Order> pairs =
        quick(
                R2dbcInserts.<Order>into(
                    watched,
                    "pairs",
                    (order, row) ->
                        row.set("b", order.id())
                            .set("n", order.id() % 2 == 0 ? 0.5 : null, Double.class)
                            .set("a", Objects.requireNonNull(order.customer()))))
            .dialect(dialect)
            .key("a", "b")
            .groupSize(400);
    watched.loseAnswer(COMMIT, LOST);
    assertAll(outcomes(400, pairs), Committed.class);
    assertThat(watched.commits()).isOne();
    assertThat(watched.statements().stream().filter(sql -> sql.startsWith("SELECT")))
        .as("at most 150 rows are looked for at once")
        .hasSize(3);
  }

  @Test
  void aTransactionOfSomebodyElseIsNotUsed() {
    watched.sayAutoCommit(false);
    List<InsertOutcome<Order>> outcomes = outcomes(3, inserts());
    assertAll(outcomes, Rejected.class);
    assertThat(((Rejected<Order>) outcomes.get(0)).reason()).hasMessageContaining("autocommit");
    assertThat(watched.log()).containsExactly("create", "close");
  }

  @Test
  void aPoolOfOneConnectionServesMoreWriters() {
    ConnectionPool pool = Pools.of(1, watched);
    store(base + 50, "other");
    R2dbcInserts<Order> inserts =
        quick(R2dbcInserts.into(pool, "orders", Order::writeTo))
            .dialect(dialect)
            .key("id")
            .groupSize(10)
            .concurrency(8);
    List<InsertOutcome<Order>> outcomes = outcomes(100, inserts);

    assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(99);
    assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
    assertThat(count("create")).isOne();
    pool.disposeLater().block(LIMIT);
  }

  @Test
  void splitsANumberedGroupOverTheLimitOfCells() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().then(store.create("limited", base)).block(LIMIT);
    R2dbcInserts<Order> numbered =
        inserts()
            .numbered(
                store.transactional("limited"), (order, id) -> new Order(id, order.customer()))
            .maxCells(6);
    assertThat(await(orders(8).transform(numbered.rows()))).hasSize(8);
    assertThat(stored()).containsOnlyKeys(ids(8));
    assertThat(watched.commits()).as("of two rows each").isGreaterThanOrEqualTo(4);

    watched.loseAnswer(COMMIT, LOST);
    List<InsertOutcome<Order>> unknown = await(orders(2).transform(numbered.outcomes()));
    assertAll(unknown, Unknown.class);
    Throwable reason = ((Unknown<Order>) unknown.get(0)).reason();
    assertThat(reason).hasMessageContaining("depends on its number");
    assertThat(reason.getSuppressed()).containsExactly(LOST);
    assertThat(watched.statements())
        .as("its rows are not looked for")
        .noneMatch(sql -> sql.startsWith("SELECT") && sql.contains("customer"));
  }

  /** Pairs, which have a key that does not depend on their number. */
  private R2dbcInserts<Order> numberedPairs(R2dbcSequenceStore store, String sequence) {
    store.createTable().then(store.create(sequence, base)).block(LIMIT);
    return quick(
            R2dbcInserts.<Order>into(
                watched,
                "pairs",
                (order, row) ->
                    row.set("a", Objects.requireNonNull(order.customer()))
                        .set("b", base)
                        .set("n", (double) order.id())))
        .dialect(dialect)
        .key("a", "b")
        .numbered(
            store.transactional(sequence), (order, number) -> new Order(number, order.customer()))
        .concurrency(1);
  }

  private Flux<Order> customers(int count) {
    return Flux.range(0, count).map(i -> new Order(0, "c" + i));
  }

  /** The numbers of this test's pairs, by customer. */
  private Map<String, Long> storedPairs() {
    Map<String, Long> stored = new TreeMap<>();
    database
        .query(
            "SELECT \"a\", \"n\" FROM \"pairs\" WHERE \"b\" = " + base,
            row ->
                Map.entry(
                    "" + row.get(0, String.class),
                    Objects.requireNonNull(row.get(1, Double.class)).longValue()))
        .forEach(row -> stored.put(row.getKey(), row.getValue()));
    return stored;
  }

  private static Map<String, Long> numbers(List<Order> saved) {
    Map<String, Long> numbers = new TreeMap<>();
    saved.forEach(order -> numbers.put(Objects.requireNonNull(order.customer()), order.id()));
    return numbers;
  }

  private long nextValue(R2dbcSequenceStore store, String sequence) {
    return Objects.requireNonNull(store.state(sequence).block(LIMIT)).nextValue();
  }

  /** The lost commit of one pair, with the number {@code base}. */
  private Mono<Void> takesEffect(R2dbcSequenceStore store, String sequence, String customer) {
    return Mono.<Void>fromRunnable(
            () -> {
              String pair = "INSERT INTO \"pairs\" (\"a\", \"b\", \"n\") VALUES ('%s', %d, %d)";
              database.execute(database.kind().quoted(pair.formatted(customer, base, base)));
              store.advanceTo(sequence, base + 1).block(LIMIT);
            })
        .subscribeOn(Schedulers.boundedElastic());
  }

  /** What the lost commit did appears between the look-up and the next transaction. */
  @Test
  void keepsTheNumbersOfALostCommitThatTakesEffectAfterTheLookUp() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    R2dbcInserts<Order> pairs = numberedPairs(store, "late_effect");
    loseCommitAndThen(takesEffect(store, "late_effect", "c0"));
    List<Order> saved = await(customers(1).transform(pairs.rows()));
    assertThat(saved).extracting(Order::id).containsExactly(base);
    assertThat(storedPairs()).containsOnly(Map.entry("c0", base));
    assertThat(nextValue(store, "late_effect")).isEqualTo(base + 1);
    assertThat(watched.commits()).isOne();
  }

  /** A part of the key depends on the number, but is the same for small numbers. */
  @Test
  void writesNoRowAgainWithAnotherKey() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    R2dbcInserts<Order> pairs =
        numberedPairs(store, "periods")
            .numbered(
                store.transactional("periods"),
                (order, number) -> new Order(number, number <= base + 1 ? "early" : "late"));
    loseCommitAndThen(
        takesEffect(store, "periods", "early").then(store.advanceTo("periods", base + 2)));
    List<InsertOutcome<Order>> outcomes = await(customers(1).transform(pairs.outcomes()));
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown ->
                assertThat(unknown.reason())
                    .hasMessageContaining("depends on its number")
                    .hasSuppressedException(LOST));
    assertThat(storedPairs()).as("written once").containsOnly(Map.entry("early", base));
    assertThat(nextValue(store, "periods")).isEqualTo(base + 2);
    assertThat(watched.commits()).isOne();
  }

  /** Another process takes the number of a commit that was lost on its way. */
  @Test
  void rowsThatAreWrittenAgainGetTheNextNumbers() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    R2dbcInserts<Order> pairs = numberedPairs(store, "taken");
    loseCommitAndThen(store.advanceTo("taken", base + 1));
    List<Order> saved = await(customers(2).transform(pairs.rows()));
    assertThat(saved).extracting(Order::id).containsExactly(base + 1, base + 2);
    assertThat(storedPairs()).isEqualTo(numbers(saved));
    assertThat(nextValue(store, "taken")).isEqualTo(base + 3);
  }

  @Test
  void numbersAGroupOnOneConnection() {
    R2dbcSequenceStore setUp = R2dbcSequenceStore.create(database.pooled());
    setUp.createTable().then(setUp.create("one_pool", base)).block(LIMIT);
    ConnectionPool pool = Pools.of(1, watched);
    R2dbcInserts<Order> numbered =
        quick(R2dbcInserts.into(pool, "orders", Order::writeTo))
            .dialect(dialect)
            .numbered(
                R2dbcSequenceStore.create(pool).transactional("one_pool"),
                (order, id) -> new Order(id, order.customer()));

    assertThat(await(orders(8).transform(numbered.rows()))).hasSize(8);

    assertThat(stored()).containsOnlyKeys(ids(8));
    assertThat(count("create")).isOne();
    pool.disposeLater().block(LIMIT);
  }

  @Test
  void rejectsAGroupThatItsSequenceCannotNumber() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    store
        .createTable()
        .then(store.create("spent", 1))
        .then(store.advanceTo("spent", Long.MAX_VALUE - 3))
        .block(LIMIT);
    refusesToNumber(store, "absent", SequenceNotFoundException.class);
    refusesToNumber(store, "spent", SequenceExhaustedException.class);
    refusesToNumber(
        R2dbcSequenceStore.builder(database.pooled()).table("nowhere").build(),
        "absent",
        SequenceNotFoundException.class);
    refusesToNumber(
        R2dbcSequenceStore.builder(database.pooled()).valueColumn("nothing").build(),
        "spent",
        SequenceStoreException.class);
    assertThat(stored()).isEmpty();
  }

  private void refusesToNumber(
      R2dbcSequenceStore store, String sequence, Class<? extends Throwable> why) {
    watched.clear();
    R2dbcInserts<Order> numbered =
        inserts()
            .numbered(
                store.transactional(sequence), (order, id) -> new Order(id, order.customer()));
    List<InsertOutcome<Order>> outcomes = outcomes(8, numbered);
    assertAll(outcomes, Rejected.class);
    assertThat(((Rejected<Order>) outcomes.get(7)).reason()).isInstanceOf(why);
    assertThat(count("begin")).as("not repeated and not split").isOne();
  }
}
