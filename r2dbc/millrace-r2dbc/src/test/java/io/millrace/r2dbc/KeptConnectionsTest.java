package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.TcpProxy;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** How many connections a store opens and keeps over a driver without a pool. */
class KeptConnectionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MANY = 20;

  @Nested
  class InVirtualTime {

    private final ScriptedDriver driver = new ScriptedDriver();
    private final R2dbcSequenceStore store =
        R2dbcSequenceStore.builder(driver).dialect(R2dbcDialect.POSTGRESQL).build();
    private VirtualTimeScheduler time;

    @BeforeEach
    void stopTheClock() {
      time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void startTheClock() {
      VirtualTimeScheduler.reset();
    }

    /** So many reservations at the same time, each on a connection of its own. */
    private void reserveAtOnce(int count) {
      Sinks.Empty<Object> gate = Sinks.empty();
      driver.always("execute", work -> gate.asMono().then((Mono<?>) work));
      List<AtomicBoolean> answered =
          Flux.range(0, count)
              .map(
                  i -> {
                    AtomicBoolean done = new AtomicBoolean();
                    store.reserve("orders", 1).subscribe(block -> done.set(true));
                    return done;
                  })
              .collectList()
              .blockOptional()
              .orElseThrow();
      gate.tryEmitEmpty();
      driver.behave();
      assertThat(answered).hasSize(count).allMatch(AtomicBoolean::get);
    }

    @Test
    void oneConnectionServesOneReservationAfterTheOther() {
      for (int i = 0; i < MANY; i++) {
        store.reserve("orders", 1).block(LIMIT);
      }
      assertThat(driver.opened()).hasSize(1);
      assertThat(driver.open()).isEqualTo(1);
    }

    @Test
    void fourAreKeptOfThoseThatWereNeededAtOnce() {
      reserveAtOnce(7);
      assertThat(driver.opened()).hasSize(7);
      assertThat(driver.open()).isEqualTo(4);

      reserveAtOnce(4);
      assertThat(driver.opened()).as("none is opened for four").hasSize(7);
      reserveAtOnce(5);
      assertThat(driver.opened()).as("one is opened for a fifth").hasSize(8);
      assertThat(driver.open()).isEqualTo(4);
    }

    @Test
    void aConnectionIsClosedWhenNobodyHasUsedItForThirtySeconds() {
      reserveAtOnce(2);
      time.advanceTimeBy(Duration.ofSeconds(20));
      store.reserve("orders", 1).block(LIMIT);
      time.advanceTimeBy(Duration.ofSeconds(10).minusMillis(1));
      assertThat(driver.open()).isEqualTo(2);
      time.advanceTimeBy(Duration.ofMillis(1));
      assertThat(driver.open()).as("one was used ten seconds ago").isEqualTo(1);
      time.advanceTimeBy(Duration.ofSeconds(20));
      assertThat(driver.open()).isZero();

      store.reserve("orders", 1).block(LIMIT);
      assertThat(driver.opened()).hasSize(3);
      assertThat(driver.opened()).allMatch(connection -> connection.closes() <= 1);
    }

    /** The close falls between the first look at whether the store is closed and the keeping. */
    @Test
    void aConnectionThatComesBackWhileTheStoreIsClosedIsClosed() {
      KeptConnections kept = new KeptConnections(driver);
      Connection connection = Mono.from(driver.create()).blockOptional(LIMIT).orElseThrow();
      driver.always(
          "isAutoCommit",
          usual -> {
            kept.close().block(LIMIT);
            return usual;
          });
      boolean taken = kept.keep(connection);
      assertThat(driver.count("isAutoCommit")).as("the close has come in between").isEqualTo(1);
      assertThat(taken).isTrue();
      assertThat(driver.open()).isZero();
      assertThat(kept.take()).isNull();
    }

    @Test
    void aConnectionIsClosedIfItsDriverThrowsWhenItWouldBeKept() {
      driver.atNext(
          "isAutoCommit",
          usual -> {
            driver.atNext(
                "isAutoCommit",
                second -> {
                  throw new IllegalStateException("thrown on purpose");
                });
            return usual;
          });
      store.reserve("orders", 1).block(LIMIT);
      assertThat(driver.count("isAutoCommit")).isEqualTo(2);
      assertThat(driver.opened()).hasSize(1);
      assertThat(driver.open()).isZero();
    }

    @Test
    void oneThatNeverClosesHoldsTheStoresCloseUpForTwoSecondsOnly() {
      reserveAtOnce(3);
      driver.always("close", work -> Mono.never());
      AtomicBoolean closed = new AtomicBoolean();
      store.close().subscribe(null, failure -> {}, () -> closed.set(true));
      time.advanceTimeBy(Duration.ofSeconds(2).minusMillis(1));
      assertThat(closed).isFalse();
      time.advanceTimeBy(Duration.ofMillis(1));
      assertThat(closed).isTrue();
      assertThat(driver.opened()).hasSize(3).allMatch(connection -> connection.closes() == 1);
    }
  }

  abstract static class OnAServer {

    @Test
    void aServerIsConnectedToOnceForManyReservations(R2dbcDatabase database) {
      R2dbcSequenceStore plain = R2dbcSequenceStore.create(database.connections());
      plain.createTable().then(plain.create("orders", 1)).block(LIMIT);
      try (TcpProxy counting = new TcpProxy("localhost:" + database.port())) {
        R2dbcSequenceStore store = R2dbcSequenceStore.create(database.through(counting.port()));
        for (int i = 0; i < MANY; i++) {
          store.reserve("orders", 1).block(LIMIT);
        }
        assertThat(counting.accepted()).isEqualTo(1);
        for (int round = 0; round < 3; round++) {
          Flux.range(0, 4).flatMap(i -> store.reserve("orders", 1)).blockLast(LIMIT);
        }
        assertThat(counting.accepted()).isBetween(1, 4);

        store.close().block(LIMIT);
        Awaitility.await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(10))
            .untilAsserted(() -> assertThat(counting.open()).isZero());
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends OnAServer {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends OnAServer {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends OnAServer {}
}
