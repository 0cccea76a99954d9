package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.PeriodicValue;
import io.millrace.periodic.Periods;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Transactions of two processes around midnight, whose clocks differ by a second. */
class PeriodicTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant MIDNIGHT = Instant.parse("2026-12-01T00:00:00Z");

  /** A row that is numbered by its writer. */
  record Bill(String id, String number, String day) {

    Bill withNumber(PeriodicValue value) {
      return new Bill(id, value.text(), value.date().toString());
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("no", number).set("day", day);
    }
  }

  /** A clock that the test sets, whose own zone is wrong on purpose. */
  private static final class SetClock extends Clock {

    private final AtomicReference<Instant> time;

    SetClock(AtomicReference<Instant> time) {
      this.time = time;
    }

    @Override
    public ZoneId getZone() {
      return ZoneId.of("Pacific/Kiritimati");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Objects.requireNonNull(time.get());
    }
  }

  abstract static class Behaviour {

    @Test
    void committedNumbersOfEachPeriodAreOneToN(R2dbcDatabase database) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
      store.createTable().block(LIMIT);
      String name = "invoice_" + UUID.randomUUID();
      PeriodicTransactionalSequence<Connection> behind = sequence(store, name, -1, 0);
      PeriodicTransactionalSequence<Connection> ahead = sequence(store, name, 0, 1);
      ConnectionPool pool = Pools.of(3, database.pooled());
      List<PeriodicValue> committed =
          Objects.requireNonNull(
              Flux.range(0, 60)
                  .flatMap(i -> transaction(pool, i % 2 == 0 ? behind : ahead, i), 3)
                  .collectList()
                  .block(LIMIT));
      Map<String, List<Long>> numbers =
          committed.stream()
              .collect(
                  Collectors.groupingBy(
                      PeriodicValue::period,
                      Collectors.mapping(PeriodicValue::number, Collectors.toList())));
      assertThat(numbers).containsOnlyKeys("2026-11", "2026-12");
      numbers.forEach(
          (period, all) ->
              assertThat(all)
                  .as(period)
                  .containsExactlyInAnyOrderElementsOf(
                      LongStream.rangeClosed(1, all.size()).boxed().toList()));
      assertThat(store.state(name + "/2026-11").block(LIMIT)).isNotNull();
      pool.dispose();
    }

    /** The store and the writer share one connection: no transaction waits for a second one. */
    @Test
    void rowsOfAWriterHaveTheNumbersOfTheirYearWithoutGaps(R2dbcDatabase database) {
      ConnectionPool pool = Pools.of(1, database.pooled());
      R2dbcSequenceStore store = R2dbcSequenceStore.create(pool);
      store.createTable().block(LIMIT);
      String table = "bill_" + UUID.randomUUID().toString().replace("-", "");
      database.execute(
          database
              .kind()
              .quoted(
                  ("CREATE TABLE \"%s\" (\"id\" VARCHAR(9) PRIMARY KEY,"
                          + " \"no\" VARCHAR(20) NOT NULL, \"day\" VARCHAR(10) NOT NULL)")
                      .formatted(table)));
      AtomicReference<Instant> time = new AtomicReference<>(Instant.parse("2026-12-31T22:59:59Z"));
      PeriodicTransactionalSequence<Connection> numbers =
          Periods.yearly(table)
              .zone(ZoneId.of("Europe/Berlin"))
              .clock(new SetClock(time))
              .format("INV-{yyyy}-{n:4}")
              .transactional(store, store::transactional);
      RowWriter<Bill> writer =
          R2dbcInserts.into(pool, table, Bill::writeTo)
              .key("id")
              .numbered(numbers, Bill::withNumber)
              .writer();

      written(writer, 0, 5);
      time.set(Instant.parse("2026-12-31T23:00:00Z"));
      written(writer, 5, 9);

      assertThat(stored(database, table))
          .containsExactlyInAnyOrder(
              "INV-2026-0001 2026-12-31",
              "INV-2026-0002 2026-12-31",
              "INV-2026-0003 2026-12-31",
              "INV-2026-0004 2026-12-31",
              "INV-2026-0005 2026-12-31",
              "INV-2027-0001 2027-01-01",
              "INV-2027-0002 2027-01-01",
              "INV-2027-0003 2027-01-01",
              "INV-2027-0004 2027-01-01");
      writer.disposeLater().block(LIMIT);
      pool.disposeLater().block(LIMIT);
    }

    private static void written(RowWriter<Bill> writer, int from, int to) {
      Flux.range(from, to - from)
          .flatMap(i -> writer.write(new Bill("b" + i, "", "")))
          .blockLast(LIMIT);
    }

    private static List<String> stored(R2dbcDatabase database, String table) {
      String sql = database.kind().quoted("SELECT \"no\", \"day\" FROM \"" + table + "\"");
      return Objects.requireNonNull(
          Flux.usingWhen(
                  Mono.defer(() -> Mono.from(database.pooled().create())),
                  connection ->
                      Flux.from(connection.createStatement(sql).execute())
                          .concatMap(
                              result ->
                                  result.map(
                                      row ->
                                          row.get(0, String.class)
                                              + " "
                                              + row.get(1, String.class))),
                  Connection::close)
              .collectList()
              .block(LIMIT));
    }

    @Test
    void eachTenantHasItsOwnNumbers(R2dbcDatabase database) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
      store.createTable().block(LIMIT);
      PeriodicTransactionalSequence<Connection> numbers =
          Periods.yearly("bill_" + UUID.randomUUID())
              .clock(Clock.fixed(MIDNIGHT, ZoneOffset.UTC))
              .transactional(store, 100, store::transactional);
      ConnectionPool pool = Pools.of(3, database.pooled());
      List<String> texts =
          Objects.requireNonNull(
              Flux.just("acme", "other", "acme", "acme")
                  .concatMap(
                      tenant ->
                          transaction(pool, numbers.forTenant(tenant), 1)
                              .map(value -> tenant + " " + value.text()))
                  .collectList()
                  .block(LIMIT));
      assertThat(texts)
          .containsExactly(
              "acme 2026-000100", "other 2026-000100", "acme 2026-000101", "acme 2026-000102");
      pool.disposeLater().block(LIMIT);
    }

    /** The clock is that many seconds from midnight at the first call, and jumps at the 20th. */
    private static PeriodicTransactionalSequence<Connection> sequence(
        R2dbcSequenceStore store, String name, int before, int after) {
      int[] calls = {0};
      Clock clock =
          new Clock() {
            @Override
            public ZoneOffset getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }

            @Override
            public synchronized Instant instant() {
              return MIDNIGHT.plusSeconds(calls[0]++ < 20 ? before : after);
            }
          };
      return Periods.monthly(name).clock(clock).transactional(store, store::transactional);
    }

    /** Every fifth transaction is rolled back. */
    private static Mono<PeriodicValue> transaction(
        ConnectionPool pool, PeriodicTransactionalSequence<Connection> sequence, int number) {
      return Mono.usingWhen(
          pool.create(),
          connection ->
              Mono.from(connection.beginTransaction())
                  .then(sequence.next(connection))
                  .flatMap(
                      taken ->
                          number % 5 == 0
                              ? Mono.from(connection.rollbackTransaction())
                                  .then(Mono.<PeriodicValue>empty())
                              : Mono.from(connection.commitTransaction()).thenReturn(taken)),
          Connection::close);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}
}
