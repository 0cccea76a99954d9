package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.InvalidOptionException;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

@OnDatabases({POSTGRESQL, MYSQL, H2})
class PeriodicNumbersOverR2dbcTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant NEW_YEAR = Instant.parse("2026-12-31T23:00:00Z"); // in Berlin

  /** A row that is numbered by its writer. */
  record Bill(String id, String tenant, String number) {

    Bill withNumber(PeriodicValue value) {
      return new Bill(id, tenant, value.text());
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("no", number);
    }
  }

  @Parameter R2dbcDatabase database;

  /** Of two processes. */
  private R2dbcSequenceStore store;

  private R2dbcSequenceStore other;
  private ConnectionPool pool;

  /** With a name of its own for each test. */
  private PeriodicNumbers bills;

  @BeforeEach
  void start() {
    store = R2dbcSequenceStore.create(database.pooled());
    other = R2dbcSequenceStore.create(database.pooled());
    store.createTable().block(LIMIT);
    pool = Pools.of(4, database.pooled());
    bills =
        PeriodicNumbers.of("bill " + UUID.randomUUID(), Period.YEAR)
            .zone(ZoneId.of("Europe/Berlin"))
            .clock(Clock.fixed(NEW_YEAR, ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    store.close().then(other.close()).then(pool.disposeLater()).block(LIMIT);
  }

  private Mono<Connection> begun() {
    return pool.create().delayUntil(Connection::beginTransaction);
  }

  private static Mono<Void> committed(Connection connection) {
    return Mono.from(connection.commitTransaction()).then(Mono.from(connection.close()));
  }

  @Test
  void theSecondOfTwoFirstNumbersWaitsForTheFirst() {
    Connection first = Objects.requireNonNull(begun().block(LIMIT));
    Connection second = Objects.requireNonNull(begun().block(LIMIT));
    assertThat(bills.next(store.transactionals(), first).map(PeriodicValue::text).block(LIMIT))
        .isEqualTo("2027-000001");
    Mono<String> waiting =
        bills.next(other.transactionals(), second).map(PeriodicValue::text).cache();
    waiting.subscribe();
    committed(first).block(LIMIT);
    assertThat(waiting.block(LIMIT)).isEqualTo("2027-000002");
    committed(second).block(LIMIT);
  }

  @Test
  void theRowMayBeCreatedBetweenTwoStatements() {
    Connection first = Objects.requireNonNull(begun().block(LIMIT));
    bills.next(store.transactionals(), first).block(LIMIT);
    WatchedConnections watched = new WatchedConnections(pool);
    watched.atNext(event -> event.startsWith("SELECT"), work -> committed(first).thenMany(work));
    Connection second =
        Objects.requireNonNull(
            Mono.from(watched.create()).delayUntil(Connection::beginTransaction).block(LIMIT));
    assertThat(bills.next(other.transactionals(), second).map(PeriodicValue::text).block(LIMIT))
        .isEqualTo("2027-000002");
    committed(second).block(LIMIT);
  }

  @Test
  void twoStoresTakeTheFirstNumbersOfManyCountersAtOnce() {
    R2dbcTransactions transactions = R2dbcTransactions.over(pool);
    Map<String, List<Long>> numbers =
        Objects.requireNonNull(
            Flux.range(0, 40)
                .flatMap(
                    i -> {
                      String tenant = "tenant " + i / 2;
                      R2dbcSequenceStore own = i % 2 == 0 ? store : other;
                      return transactions
                          .readWrite(
                              connection ->
                                  bills.forTenant(tenant).next(own.transactionals(), connection))
                          .map(value -> Map.entry(tenant, value.number()));
                    },
                    4)
                .collect(
                    Collectors.groupingBy(
                        Map.Entry::getKey,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())))
                .block(LIMIT));
    assertThat(numbers).hasSize(20);
    numbers.forEach(
        (tenant, both) -> assertThat(both).as(tenant).containsExactlyInAnyOrder(1L, 2L));
  }

  @Test
  void theCommittedNumbersOfEachPeriodAreOneToNWhenClocksDiffer() {
    AtomicInteger behind = new AtomicInteger();
    AtomicInteger ahead = new AtomicInteger();
    Map<String, List<Long>> numbers =
        Objects.requireNonNull(
            Flux.range(0, 60)
                .flatMap(
                    i ->
                        i % 2 == 0
                            ? transaction(store, behind.getAndIncrement() < 20 ? -1 : 0, i)
                            : transaction(other, ahead.getAndIncrement() < 20 ? 0 : 1, i),
                    3)
                .collect(
                    Collectors.groupingBy(
                        PeriodicValue::period,
                        Collectors.mapping(PeriodicValue::number, Collectors.toList())))
                .block(LIMIT));
    assertThat(numbers).containsOnlyKeys("2026", "2027");
    numbers.forEach(
        (period, all) ->
            assertThat(all)
                .as(period)
                .containsExactlyInAnyOrderElementsOf(
                    LongStream.rangeClosed(1, all.size()).boxed().toList()));
  }

  /** Takes a number so many seconds after the new year. Each fifth is rolled back. */
  private Mono<PeriodicValue> transaction(R2dbcSequenceStore from, int seconds, int index) {
    PeriodicNumbers numbers =
        bills.clock(Clock.fixed(NEW_YEAR.plusSeconds(seconds), ZoneOffset.UTC));
    IllegalStateException refused = new IllegalStateException("rolled back");
    return R2dbcTransactions.over(pool)
        .readWrite(
            connection ->
                numbers
                    .next(from.transactionals(), connection)
                    .delayUntil(taken -> index % 5 == 0 ? Mono.error(refused) : Mono.empty()))
        .onErrorResume(failure -> failure == refused, failure -> Mono.empty());
  }

  private RowWriter<Bill> writer(R2dbcDatabase database, boolean hasTenants) {
    String table = "bill_" + UUID.randomUUID().toString().replace("-", "");
    database.execute(
        database
            .kind()
            .quoted(
                ("CREATE TABLE \"%s\" (\"id\" VARCHAR(36) PRIMARY KEY,"
                        + " \"no\" VARCHAR(20) NOT NULL)")
                    .formatted(table)));
    R2dbcInserts<Bill> inserts = R2dbcInserts.into(pool, table, Bill::writeTo).key("id");
    return (hasTenants
            ? inserts.numbered(other.transactionals(), bills, Bill::tenant, Bill::withNumber)
            : inserts.numbered(other.transactionals(), bills, Bill::withNumber))
        .writer();
  }

  private String taken(PeriodicNumbers numbers) {
    return R2dbcTransactions.over(pool)
        .readWrite(connection -> numbers.next(store.transactionals(), connection))
        .map(PeriodicValue::text)
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @Test
  void aTransactionAndAWriterContinueOneCount() {
    RowWriter<Bill> writer = writer(database, false);
    assertThat(taken(bills)).isEqualTo("2027-000001");
    assertThat(written(writer, "acme", 3))
        .containsExactlyInAnyOrder("2027-000002", "2027-000003", "2027-000004");
    assertThat(taken(bills)).isEqualTo("2027-000005");
    writer.disposeLater().block(LIMIT);
  }

  @Test
  void eachTenantHasItsOwnCountAndARefusedTenantFailsOnlyItsRow() {
    RowWriter<Bill> writer = writer(database, true);
    assertThat(taken(bills.forTenant("acme"))).isEqualTo("2027-000001");
    String tooLong = "t".repeat(64);
    for (String refused : List.of("a/b", " ", "a\nb", tooLong)) {
      StepVerifier.create(writer.write(new Bill("refused", refused, "")))
          .verifyErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(InsertFailedException.class)
                      .hasRootCauseInstanceOf(InvalidOptionException.class));
    }
    assertThat(written(writer, "acme", 2)).containsExactlyInAnyOrder("2027-000002", "2027-000003");
    assertThat(written(writer, "Acme", 1)).containsExactly("2027-000001");
    StepVerifier.create(
            R2dbcTransactions.over(pool)
                .readWrite(
                    connection ->
                        bills.forTenant(tooLong).next(store.transactionals(), connection)))
        .verifyErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContainingAll("1 to 64 characters", "/ttt"));
    writer.disposeLater().block(LIMIT);
  }

  private static List<String> written(RowWriter<Bill> writer, String tenant, int rows) {
    return Objects.requireNonNull(
        Flux.range(0, rows)
            .flatMap(i -> writer.write(new Bill(UUID.randomUUID().toString(), tenant, "")))
            .map(Bill::number)
            .collectList()
            .block(LIMIT));
  }
}
