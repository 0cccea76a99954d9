package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.PeriodicValue;
import io.millrace.periodic.Periods;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
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

  abstract static class Behaviour {

    @Test
    void committedNumbersOfEachPeriodAreOneToN(R2dbcDatabase database) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
      store.createTable().block(LIMIT);
      String name = "invoice_" + UUID.randomUUID();
      PeriodicTransactionalSequence<Connection> behind = sequence(store, name, -1, 0);
      PeriodicTransactionalSequence<Connection> ahead = sequence(store, name, 0, 1);
      ConnectionPool pool = Pools.of(3, database.connections());
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
            public Clock withZone(java.time.ZoneId zone) {
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
