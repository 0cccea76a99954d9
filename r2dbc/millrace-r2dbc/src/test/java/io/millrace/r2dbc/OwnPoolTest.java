package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.TcpProxy;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;

/** The connections that a store or a pipeline opens over a driver, and how it replaces them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class OwnPoolTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final int MANY = 20;
  private static final int RACES = 300;

  private final ScriptedDriver driver = new ScriptedDriver();
  private final R2dbcSequenceStore store = over(driver);

  private static R2dbcSequenceStore over(ScriptedDriver driver) {
    return R2dbcSequenceStore.builder(driver).dialect(R2dbcDialect.POSTGRESQL).build();
  }

  private static R2dbcNonTransientResourceException readOnly() {
    return new R2dbcNonTransientResourceException("takes no writes", "25006", 0);
  }

  @Nested
  class InVirtualTime {

    private VirtualTimeScheduler time;

    @BeforeEach
    void stopTheClock() {
      time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void startTheClock() {
      VirtualTimeScheduler.reset();
    }

    private void reserve() {
      assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    }

    /** Begins reservations whose statements end with the answers to come. */
    private List<Sinks.Empty<Object>> begin(int count, List<SequenceBlock> reserved) {
      List<Sinks.Empty<Object>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Sinks.Empty<Object> answer = Sinks.empty();
        answers.add(answer);
        driver.atNext("execute", usual -> answer.asMono().then((Mono<?>) usual));
        store.reserve("orders", 1).subscribe(reserved::add, failure -> {});
      }
      return answers;
    }

    private void use(int connections) {
      List<SequenceBlock> reserved = new ArrayList<>();
      begin(connections, reserved).forEach(Sinks.Empty::tryEmitEmpty);
      assertThat(reserved).hasSize(connections);
      assertThat(driver.open()).isEqualTo(connections);
    }

    /** A reservation whose statement is never answered, and that nobody waits for any more. */
    private void hang() {
      driver.atNext("execute", work -> Mono.never());
      store.reserve("orders", 1).subscribe().dispose();
    }

    @Test
    void oneConnectionServesOneReservationAfterTheOther() {
      for (int i = 0; i < MANY; i++) {
        reserve();
      }
      assertThat(driver.opened()).hasSize(1);
      assertThat(driver.open()).isEqualTo(1);
    }

    @Test
    void fourConnectionsServeAllReservations() {
      Sinks.Empty<Object> gate = Sinks.empty();
      driver.always("execute", work -> gate.asMono().then((Mono<?>) work));
      List<SequenceBlock> reserved = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        store.reserve("orders", 1).subscribe(reserved::add);
      }
      assertThat(driver.opened()).hasSize(4);
      gate.tryEmitEmpty();
      assertThat(reserved).hasSize(MANY);
      assertThat(driver.opened()).hasSize(4);
    }

    @Test
    void connectionsAreClosedWhenNobodyHasUsedThemForAWhile() {
      use(2);
      time.advanceTimeBy(Duration.ofSeconds(29));
      reserve();
      time.advanceTimeBy(Duration.ofSeconds(30));
      assertThat(driver.open()).isEqualTo(2);
      time.advanceTimeBy(Duration.ofSeconds(30));
      assertThat(driver.open()).isZero();

      reserve();
      assertThat(driver.opened()).hasSize(3).allMatch(connection -> connection.closes() <= 1);
    }

    @Test
    void aPipelineLeavesNoConnection() {
      R2dbcInserts<Long> inserts =
          R2dbcInserts.<Long>into(driver, "sold", (id, row) -> row.set("id", id))
              .dialect(R2dbcDialect.POSTGRESQL)
              .groupSize(1);
      assertThat(Flux.range(0, MANY).map(Long::valueOf).transform(inserts.rows()).count().block())
          .isEqualTo(MANY);
      assertThat(driver.opened()).isNotEmpty();
      time.advanceTimeBy(Duration.ofSeconds(3));
      assertThat(driver.open()).isZero();
    }

    @Test
    void aCloseWaitsTwoSecondsForAConnectionThatNeverCloses() {
      use(3);
      driver.always("close", work -> Mono.never());
      AtomicBoolean closed = new AtomicBoolean();
      store.close().subscribe(null, failure -> {}, () -> closed.set(true));
      time.advanceTimeBy(Duration.ofSeconds(2).minus(MOMENT));
      assertThat(closed).isFalse();
      time.advanceTimeBy(MOMENT);
      assertThat(closed).isTrue();
      assertThat(driver.opened()).hasSize(3).allMatch(connection -> connection.closes() == 1);
    }

    @Test
    void connectionsThatTheServerHasClosedAreReplacedBeforeTheirUse() {
      use(4);
      driver.opened().forEach(connection -> Mono.from(connection.close()).block(LIMIT));
      reserve();
      assertThat(driver.opened()).hasSize(5);
      assertThat(driver.open()).isEqualTo(1);
    }

    @Test
    void afterALostConnectionTheOthersAreNotUsedAgain() {
      use(3);
      driver.atNext("execute", usual -> Mono.error(readOnly()));
      assertThatThrownBy(() -> store.reserve("orders", 1).block(LIMIT))
          .hasMessage("takes no writes");
      assertThat(driver.open()).as("idle").isEqualTo(2);
      time.advanceTimeBy(OwnPool.GRACE);
      assertThat(driver.open()).isZero();
      reserve();
      assertThat(driver.opened()).hasSize(4);
    }

    @Test
    void aFailureThatComesLateCostsNoConnectionThatWasOpenedMeanwhile() {
      for (Sinks.Empty<Object> answer : begin(3, new ArrayList<>())) {
        answer.tryEmitError(readOnly());
        reserve();
      }
      assertThat(driver.opened()).hasSize(4);
      assertThat(driver.open()).isEqualTo(1);
    }

    @Test
    void aConnectionIsClosedAfterItsWorkIfAnotherWasLost() {
      List<SequenceBlock> reserved = new ArrayList<>();
      List<Sinks.Empty<Object>> answers = begin(2, reserved);
      answers.get(0).tryEmitError(readOnly());
      answers.get(1).tryEmitEmpty();
      assertThat(reserved).hasSize(1);
      time.advanceTimeBy(OwnPool.GRACE);
      assertThat(driver.open()).isZero();
    }

    @Test
    void requestsThatWaitBesideALostConnectionAreServed() {
      List<SequenceBlock> reserved = new ArrayList<>();
      List<Sinks.Empty<Object>> answers = begin(4, reserved);
      begin(2, reserved).forEach(Sinks.Empty::tryEmitEmpty);
      assertThat(driver.opened()).hasSize(4);
      answers.get(0).tryEmitError(readOnly());
      assertThat(reserved).hasSize(2);
      answers.forEach(Sinks.Empty::tryEmitEmpty);
      assertThat(reserved).hasSize(5);
      time.advanceTimeBy(OwnPool.GRACE);
      assertThat(driver.open()).isZero();
    }

    @Test
    void requestsThatWaitForConnectionsThatHangAreServedByTheNextPool() {
      driver.always("execute", work -> Mono.never());
      Disposable leaving = store.reserve("orders", 1).subscribe();
      for (int i = 1; i < 4; i++) {
        store.reserve("orders", 1).subscribe();
      }
      driver.behave();
      driver.always("close", work -> Mono.never());
      List<SequenceBlock> reserved = new ArrayList<>();
      store.reserve("orders", 1).subscribe(reserved::add);
      store.reserve("orders", 1).subscribe(reserved::add);
      leaving.dispose();
      time.advanceTimeBy(OwnPool.GRACE.multipliedBy(2));
      assertThat(reserved).hasSize(2);
      assertThat(store.connections.hung.get()).isEqualTo(1);
    }

    @Test
    void afterACancelTheNextRequestUsesNoConnectionThatWasIdle() {
      use(4);
      hang();
      assertThat(driver.opened()).hasSize(4);
      reserve();
      assertThat(driver.opened()).hasSize(5);
      time.advanceTimeBy(OwnPool.GRACE.multipliedBy(2));
      assertThat(driver.open()).isEqualTo(1);
    }

    @Test
    void manyCancelsWithinASecondReplaceOnePool() {
      use(4);
      for (int i = 0; i < MANY; i++) {
        hang();
      }
      assertThat(driver.opened()).as("four old ones and four new ones").hasSize(8);
    }

    @Test
    void aPipelineOfAnyConcurrencyOpensAtMost32Connections() {
      Sinks.Empty<Object> gate = Sinks.empty();
      driver.always("execute", usual -> gate.asMono().then((Mono<?>) usual));
      List<Long> written = new ArrayList<>();
      Flux.range(0, 100)
          .map(Long::valueOf)
          .transform(
              R2dbcInserts.<Long>into(driver, "sold", (id, row) -> row.set("id", id))
                  .dialect(R2dbcDialect.POSTGRESQL)
                  .groupSize(1)
                  .concurrency(100)
                  .rows())
          .subscribe(written::add);
      assertThat(driver.opened()).hasSize(32);
      gate.tryEmitEmpty();
      assertThat(written).hasSize(100);
      assertThat(driver.opened()).hasSize(32);
    }

    @Test
    void aSecondAfterACancelAllConnectionsThatWereOpenAreReplaced() {
      use(4);
      hang();
      time.advanceTimeBy(OwnPool.GRACE.minus(MOMENT));
      assertThat(driver.open()).isEqualTo(4);
      time.advanceTimeBy(MOMENT);
      assertThat(driver.open()).isZero();
      assertThat(store.connections.hung.get()).isZero();

      reserve();
      reserve();
      assertThat(driver.opened()).hasSize(5);
    }

    @Test
    void workThatEndsInTimeKeepsItsConnection() {
      Sinks.Empty<Object> answer = Sinks.empty();
      driver.atNext("execute", work -> answer.asMono().then((Mono<?>) work));
      store.reserve("orders", 1).subscribe().dispose();
      time.advanceTimeBy(OwnPool.GRACE.minus(MOMENT));
      answer.tryEmitEmpty();
      time.advanceTimeBy(OwnPool.GRACE);
      assertThat(driver.open()).isEqualTo(1);
      reserve();
      assertThat(driver.opened()).hasSize(1);
    }

    @Test
    void connectionsThatNeitherEndNorCloseAreFewAndAreForgottenAfterAMinute() {
      driver.always("execute", work -> Mono.never());
      driver.always("close", work -> Mono.never());
      for (int i = 0; i < MANY; i++) {
        store.reserve("orders", 1).onErrorComplete().subscribe().dispose();
        time.advanceTimeBy(OwnPool.GRACE);
      }
      assertThat(driver.opened()).hasSize(Connections.MOST_HUNG);
      assertThat(store.connections.hung.get()).isEqualTo(Connections.MOST_HUNG);
      assertThatThrownBy(() -> store.reserve("orders", 1).block(LIMIT))
          .isInstanceOfSatisfying(
              HungConnectionsException.class,
              refused -> assertThat(refused).hasMessageStartingWith(Connections.MOST_HUNG + " "))
          .hasMessageContaining("4 connections hang");

      driver.behave();
      time.advanceTimeBy(Duration.ofMinutes(1));
      assertThat(store.connections.hung.get()).isZero();
      reserve();
    }

    @Test
    void aConnectionThatIsBeingOpenedForNobodyIsClosedWhenItArrives() {
      Sinks.Empty<Object> opened = Sinks.empty();
      driver.atNext("create", usual -> opened.asMono().then((Mono<?>) usual));
      Disposable leaving = store.reserve("orders", 1).subscribe();
      leaving.dispose();
      reserve();
      assertThat(driver.opened()).as("another one is opened").hasSize(1);
      time.advanceTimeBy(OwnPool.GRACE);
      opened.tryEmitEmpty();
      assertThat(driver.opened()).hasSize(2);
      time.advanceTimeBy(OwnPool.GRACE);
      assertThat(driver.open()).isEqualTo(1);
    }

    /** In some rounds one of the two comes first for certain; in the others they race. */
    @Test
    void aConnectionIsEitherReturnedOrClosedAtTheEndOfItsTime() {
      ExecutorService threads = Executors.newFixedThreadPool(2); // Reactor's stand still
      Scheduler racing = Schedulers.fromExecutorService(threads);
      int closed = 0;
      for (int i = 0; i < RACES; i++) {
        ScriptedDriver raced = new ScriptedDriver();
        R2dbcSequenceStore racedStore = over(raced);
        Sinks.Empty<Object> gate = Sinks.empty();
        raced.atNext("execute", work -> gate.asMono().then((Mono<?>) work));
        racedStore.reserve("orders", 1).subscribe().dispose();
        Runnable end = gate::tryEmitEmpty;
        Runnable passTime = () -> time.advanceTimeBy(OwnPool.GRACE);
        if (i % 10 == 0) {
          end.run();
          passTime.run();
        } else if (i % 10 == 1) {
          passTime.run();
          end.run();
        } else {
          RaceTestUtils.race((int) LIMIT.toSeconds(), racing, end, passTime);
        }
        closed += raced.open() == 0 ? 1 : 0;
        assertThat(racedStore.connections.hung.get()).isZero();
        assertThat(racedStore.reserve("orders", 1).block(LIMIT)).isNotNull();
        assertThat(raced.open()).isEqualTo(1);
        racedStore.close().block(LIMIT);
        assertThat(raced.open()).isZero();
      }
      assertThat(closed).isBetween(RACES / 10, RACES - RACES / 10);
      threads.shutdown();
    }
  }

  /** Requests, returns, lost connections and cancels meet the change of the pool at any moment. */
  @Test
  void noRequestAndNoConnectionIsForgottenWhileConnectionsAreLost() {
    AtomicLong calls = new AtomicLong();
    driver.always(
        "execute",
        usual ->
            switch ((int) (calls.incrementAndGet() % 7)) {
              case 0 -> Mono.error(readOnly());
              case 1, 2 -> Mono.defer(() -> (Mono<?>) usual).subscribeOn(Schedulers.parallel());
              default -> usual;
            });
    int requests = 5_000;
    AtomicLong failed = new AtomicLong();
    Long reserved =
        Flux.range(0, requests)
            .flatMap(
                i ->
                    store
                        .reserve("orders", 1)
                        .subscribeOn(Schedulers.parallel())
                        .doOnError(failure -> failed.incrementAndGet())
                        .timeout(i % 10 == 0 ? Duration.ofNanos(1) : LIMIT, Mono.empty())
                        .onErrorComplete(R2dbcNonTransientResourceException.class),
                16)
            .count()
            .block(LIMIT);
    assertThat(reserved).isGreaterThan(requests / 2);
    assertThat(failed.get()).isGreaterThan(requests / 20);
    driver.behave();
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    store.close().block(LIMIT);
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(driver.open()).isZero());
    assertThat(store.connections.hung.get()).isZero();
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
