package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Measures numbers taken first beside numbers taken last. {@code -Drates=N} runs it, N seconds for
 * each, in three rounds. It prints the rates; what it asserts is that there is no gap.
 */
@EnabledIfSystemProperty(named = "rates", matches = "[1-9]\\d*")
class NumberLastRatesTest {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("rates", 1));
  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 8;
  private static final int CLIENTS = 16;

  abstract static class Behaviour {

    @Test
    void ratesWithWorkOfSeveralLengths(R2dbcDatabase database) {
      ConnectionPool pool = Pools.of(CONNECTIONS, database.connections());
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
      store.createTable().then(store.create("invoices", 1)).block(LIMIT);
      TransactionalSequence<Connection> invoices = store.transactional("invoices");
      R2dbcTransactions transactions = R2dbcTransactions.over(pool);
      long taken = 0;
      for (int millis : new int[] {10, 100}) {
        Duration work = Duration.ofMillis(millis);
        for (int round = 0; round < ROUNDS; round++) {
          Rate first =
              rate(
                  transactions,
                  connection -> invoices.next(connection).delayUntil(number -> Mono.delay(work)));
          Rate last =
              rate(transactions, connection -> Mono.delay(work).then(invoices.next(connection)));
          taken += first.count() + last.count();
          System.out.printf(
              Locale.ROOT,
              "%s, work of %d ms: first %.1f/s, last %.1f/s, ratio %.2f%n",
              database.kind(),
              millis,
              first.perSecond(),
              last.perSecond(),
              last.perSecond() / first.perSecond());
        }
      }
      assertThat(store.state("invoices").map(SequenceState::nextValue).block(LIMIT))
          .isEqualTo(taken + 1);
      pool.dispose();
    }

    private record Rate(long count, long nanos) {

      double perSecond() {
        return count * 1e9 / nanos;
      }
    }

    /** How fast the clients commit transactions, until the last that begins in the time. */
    private static Rate rate(
        R2dbcTransactions transactions, Function<Connection, Mono<Long>> body) {
      long start = System.nanoTime();
      long end = start + TIME.toNanos();
      long count =
          Flux.range(0, CLIENTS)
              .flatMap(
                  client -> transactions.readWrite(body).repeat(() -> System.nanoTime() < end),
                  CLIENTS)
              .count()
              .blockOptional(LIMIT)
              .orElseThrow();
      return new Rate(count, System.nanoTime() - start);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
