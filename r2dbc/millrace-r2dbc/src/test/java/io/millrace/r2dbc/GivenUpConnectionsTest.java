package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;

/** What becomes of a connection whose work goes on behind its cancel, in virtual time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class GivenUpConnectionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final long RACES = 300;

  private final ScriptedDriver driver = new ScriptedDriver();
  private final SimplePool pool = new SimplePool(driver);
  private final R2dbcSequenceStore store = over(pool);
  private VirtualTimeScheduler time;

  @BeforeEach
  void stopTheClock() {
    time = VirtualTimeScheduler.getOrSet();
  }

  @AfterEach
  void startTheClock() {
    VirtualTimeScheduler.reset();
  }

  private static R2dbcSequenceStore over(ConnectionFactory source) {
    return R2dbcSequenceStore.builder(source).dialect(R2dbcDialect.POSTGRESQL).build();
  }

  /** A reservation whose statement is never answered, and that nobody waits for any more. */
  private void hang() {
    driver.atNext("execute", work -> Mono.never());
    store.reserve("orders", 1).subscribe().dispose();
  }

  private void reserveAtOnce(int count) {
    Sinks.Empty<Object> gate = Sinks.empty();
    driver.always("execute", work -> gate.asMono().then((Mono<?>) work));
    for (int i = 0; i < count; i++) {
      store.reserve("orders", 1).subscribe();
    }
    gate.tryEmitEmpty();
    driver.behave();
    assertThat(driver.opened()).hasSize(count);
    assertThat(pool.idle).hasSize(count);
  }

  @Test
  void whenOneHangsAllThatWereOpenBesideItAreClosedInsteadOfUsed() {
    reserveAtOnce(8);
    hang();
    time.advanceTimeBy(AcquiredConnection.GRACE);
    assertThat(store.connectionsGivenUp()).isEqualTo(1);
    assertThat(driver.open()).as("nobody has asked for them yet").isEqualTo(7);

    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.opened()).hasSize(9);
    assertThat(driver.open()).as("the new one").isEqualTo(1);

    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.opened()).as("the new one is trusted").hasSize(9);
  }

  @Test
  void aRequestThatIsCancelledAsItsConnectionArrivesDoesNotMakeTheConnectionTrusted() {
    reserveAtOnce(2);
    hang();
    time.advanceTimeBy(AcquiredConnection.GRACE);
    BaseSubscriber<SequenceBlock> cancelling = new BaseSubscriber<>() {};
    pool.atArrival = cancelling::cancel;
    store.reserve("orders", 1).subscribe(cancelling);
    pool.atArrival = () -> {};
    assertThat(driver.opened()).hasSize(2);
    assertThat(pool.idle).as("the one that was open beside the one that hangs").hasSize(1);

    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.opened()).as("it is replaced").hasSize(3);
  }

  @Test
  void oneThatIsDistrustedAndDoesNotCloseIsThrownAwayTwoSecondsLater() {
    reserveAtOnce(2);
    hang();
    time.advanceTimeBy(AcquiredConnection.GRACE);
    driver.always("close", work -> Mono.never());
    driver.always("validate", work -> Mono.just(false));
    long before = driver.count("validate");
    assertThat(store.reserve("orders", 1).block(LIMIT)).as("waits for no close").isNotNull();

    time.advanceTimeBy(AcquiredConnection.CLOSE_TIMEOUT.minus(MOMENT));
    assertThat(driver.count("validate")).as("asked for the pool").isEqualTo(before);
    time.advanceTimeBy(MOMENT);
    assertThat(driver.count("validate")).isEqualTo(before + 1);
  }

  @Test
  void theServerIsAskedToEndTheStatementOfAConnectionThatIsGivenUp() {
    hang();
    time.advanceTimeBy(AcquiredConnection.GRACE.minus(MOMENT));
    assertThat(driver.count("cancelRequest")).isZero();
    time.advanceTimeBy(MOMENT);
    assertThat(driver.count("cancelRequest")).isEqualTo(1);
    assertThat(driver.open()).isZero();
  }

  /** A pooler finds the statement only as long as its client is connected. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theConnectionIsClosedOnceTheServerIsAskedOrASecondLater(boolean answered) {
    Sinks.Empty<Void> asked = Sinks.empty();
    driver.atNext("cancelRequest", work -> asked.asMono());
    hang();
    time.advanceTimeBy(AcquiredConnection.GRACE);
    assertThat(driver.count("cancelRequest")).isEqualTo(1);
    assertThat(driver.open()).isEqualTo(1);
    if (answered) {
      asked.tryEmitEmpty();
    } else {
      time.advanceTimeBy(ServerCancel.WAIT);
    }
    assertThat(driver.open()).isZero();
  }

  /** Its pool may have lent it to somebody else, whose work is not ours to end. */
  @Test
  void aConnectionOnItsWayBackIsNeitherClosedNorIsItsStatementCancelled() {
    Sinks.Empty<Void> back = Sinks.empty();
    pool.answer = back.asMono();
    Disposable leaving = store.reserve("orders", 1).subscribe();
    assertThat(pool.idle).as("back, and that is not told yet").hasSize(1);
    leaving.dispose();
    time.advanceTimeBy(AcquiredConnection.GRACE.multipliedBy(3));

    assertThat(driver.count("cancelRequest")).isZero();
    assertThat(driver.count("close")).isZero();
    assertThat(store.connectionsGivenUp()).isZero();
    assertThat(store.hungConnections()).isEqualTo(1);

    back.tryEmitEmpty();
    assertThat(store.hungConnections()).isZero();
  }

  @Test
  void returnsThatDoNotEndAreFewAndAreForgottenAfterAMinute() {
    pool.answer = Mono.never();
    for (int i = 0; i < 20; i++) {
      store.reserve("orders", 1).onErrorComplete().subscribe().dispose();
      time.advanceTimeBy(MOMENT);
    }
    assertThat(store.hungConnections())
        .isEqualTo(Connections.MOST_WAITED_FOR + Connections.MOST_UNCLOSED);
    assertThat(driver.count("close")).isZero();

    pool.answer = Mono.empty();
    time.advanceTimeBy(Duration.ofMinutes(2));
    assertThat(store.hungConnections()).isZero();
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionsThatNeitherEndNorCloseAreFewAndAreForgottenAfterAMinute(boolean pooled) {
    R2dbcSequenceStore hanging = over(pooled ? pool : driver);
    driver.always("execute", work -> Mono.never());
    driver.always("close", work -> Mono.never());
    for (int i = 0; i < 20; i++) {
      hanging.reserve("orders", 1).onErrorComplete().subscribe().dispose();
      time.advanceTimeBy(AcquiredConnection.GRACE.plus(AcquiredConnection.CLOSE_TIMEOUT));
    }
    assertThat(driver.opened())
        .hasSizeLessThanOrEqualTo(Connections.MOST_WAITED_FOR + Connections.MOST_UNCLOSED);
    assertThat(hanging.hungConnections()).isPositive();

    driver.behave();
    time.advanceTimeBy(Duration.ofMinutes(2));
    assertThat(hanging.hungConnections()).isZero();
    assertThat(hanging.reserve("orders", 1).block(LIMIT)).isNotNull();
  }

  /** In some rounds one of the two comes first for certain; in the others they race. */
  @Test
  void givingUpAndGoingBackExcludeEachOther() {
    long closed = 0;
    ExecutorService threads = Executors.newFixedThreadPool(2); // Reactor's stand still, too
    Scheduler racing = Schedulers.fromExecutorService(threads);
    for (int i = 0; i < RACES; i++) {
      ScriptedDriver raced = new ScriptedDriver();
      SimplePool whole = new SimplePool(raced);
      Sinks.Empty<Object> gate = Sinks.empty();
      raced.atNext("execute", work -> gate.asMono().then((Mono<?>) work));
      over(whole).reserve("orders", 1).subscribe().dispose();
      Runnable goBack = gate::tryEmitEmpty;
      Runnable giveUp = () -> time.advanceTimeBy(AcquiredConnection.GRACE);
      switch (i % 10) {
        case 0 -> {
          goBack.run();
          giveUp.run();
        }
        case 1 -> {
          giveUp.run();
          goBack.run();
        }
        default -> RaceTestUtils.race((int) LIMIT.toSeconds(), racing, goBack, giveUp);
      }

      List<ScriptedDriver.Opened> idle = new ArrayList<>(whole.idle);
      assertThat(idle.size() + raced.count("close")).as("back, or closed, once").isEqualTo(1);
      assertThat(idle).allMatch(connection -> connection.closes() == 0);
      closed += raced.count("close");
    }
    assertThat(closed).as("given up").isBetween(RACES / 10, RACES - RACES / 10);
    threads.shutdown();
  }
}
