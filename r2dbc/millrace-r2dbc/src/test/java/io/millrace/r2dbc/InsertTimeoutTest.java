package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.InsertTimeoutException;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A driver that does not answer at some step of an insert pipeline, in virtual time. */
class InsertTimeoutTest {

  private static final Duration DEFAULT = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  private final ScriptedDriver driver = new ScriptedDriver();
  private final List<InsertOutcome<Long>> outcomes = new ArrayList<>();
  private VirtualTimeScheduler time;

  @BeforeEach
  void stopTheClock() {
    time = VirtualTimeScheduler.getOrSet();
  }

  @AfterEach
  void startTheClock() {
    VirtualTimeScheduler.reset();
  }

  private record FromSeven() implements TransactionalSequence<Connection> {

    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public Mono<List<Long>> next(Connection transaction, int count) {
      return Mono.just(LongStream.range(7, 7 + count).boxed().toList());
    }
  }

  private R2dbcInserts<Long> keyed() {
    return R2dbcInserts.<Long>into(driver, "events", (n, row) -> row.set("id", n))
        .dialect(R2dbcDialect.POSTGRESQL)
        .key("id");
  }

  private Disposable run(R2dbcInserts<Long> inserts, Long... rows) {
    return Flux.just(rows).transform(inserts.outcomes()).subscribe(outcomes::add);
  }

  /** Without numbers there are three rows, because rows of one statement take no transaction. */
  private Disposable run(boolean numbered) {
    return numbered
        ? run(keyed().numbered(new FromSeven(), (n, number) -> number), 1L)
        : run(keyed().arrays(false), 1L, 2L, 3L);
  }

  private void assertAll(Class<?> outcome) {
    assertThat(outcomes).isNotEmpty().hasOnlyElementsOfType(outcome);
  }

  private void silent(String call) {
    driver.atNext(call, work -> Mono.never());
  }

  private void assertNoConnectionIsLeft() {
    time.advanceTimeBy(OwnPool.GRACE);
    assertThat(driver.open()).as("open connections").isZero();
  }

  private static void assertNamesTheLimit(Throwable reason) {
    assertThat(reason)
        .isInstanceOf(InsertTimeoutException.class)
        .hasMessageContaining("transactionTimeout of PT30S");
  }

  @ParameterizedTest
  @CsvSource({
    "create, false",
    "create, true",
    "begin, false",
    "begin, true",
    "execute, false",
    "execute, true"
  })
  void runsATransactionAgainThatSentNoCommit(String call, boolean numbered) {
    silent(call);
    run(numbered);
    time.advanceTimeBy(DEFAULT.minusMillis(1));
    assertThat(driver.count(call)).isOne();

    time.advanceTimeBy(Duration.ofSeconds(5));
    assertAll(Committed.class);
    assertThat(driver.count("select")).as("look-ups").isZero();
    assertThat(driver.count("commit")).isOne();
    assertNoConnectionIsLeft();
    time.advanceTimeBy(HOUR);
    assertThat(driver.count("commit")).as("the cancelled transaction does not go on").isOne();
  }

  @Test
  void looksUpTheRowsOfALateCommitOnAnotherConnection() {
    silent("commit");
    driver.found(List.of(List.of(1L), List.of(2L), List.of(3L)));
    run(false);
    time.advanceTimeBy(DEFAULT);
    assertThat(driver.opened()).hasSize(1);

    time.advanceTimeBy(Duration.ofSeconds(5));
    assertAll(Committed.class);
    assertThat(driver.opened()).hasSize(2);
    assertThat(driver.count("select")).isOne();
    assertThat(driver.count("commit")).isOne();
    assertNoConnectionIsLeft();
  }

  @Test
  void aStatementWithoutATransactionThatIsNotAnsweredIsLookedUp() {
    silent("execute");
    driver.found(List.of(List.of(1L)));
    run(keyed(), 1L);
    time.advanceTimeBy(DEFAULT.plusSeconds(5));
    assertAll(Committed.class);
    assertThat(driver.opened()).hasSize(2);
    assertThat(driver.count("select")).isOne();
    assertThat(driver.count("execute")).isOne();
    assertThat(driver.count("begin")).isZero();
    assertNoConnectionIsLeft();
  }

  @Test
  void writesInATransactionIfTheLookUpFindsNothing() {
    silent("execute");
    run(keyed(), 1L);
    time.advanceTimeBy(DEFAULT.plusSeconds(5));
    assertAll(Committed.class);
    assertThat(driver.count("commit")).isOne();
    assertNoConnectionIsLeft();
  }

  @Test
  void aLookUpThatIsNotAnsweredIsRepeatedOnAThirdConnection() {
    silent("commit");
    silent("select");
    driver.found(List.of(List.of(1L), List.of(2L), List.of(3L)));
    run(false);
    time.advanceTimeBy(DEFAULT.plusSeconds(5));
    assertThat(outcomes).isEmpty();

    time.advanceTimeBy(DEFAULT.plusSeconds(5));
    assertAll(Committed.class);
    assertThat(driver.opened()).hasSize(3);
    assertThat(driver.count("select")).isEqualTo(2);
    assertNoConnectionIsLeft();
  }

  @Test
  void rowsWithANumberInTheirKeyAreUnknownAfterALateCommit() {
    silent("commit");
    run(true);
    time.advanceTimeBy(DEFAULT.plusSeconds(5));
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertNamesTheLimit(unknown.reason().getSuppressed()[0]));
    assertThat(driver.count("select")).as("look-ups").isZero();
    assertNoConnectionIsLeft();
  }

  @ParameterizedTest
  @CsvSource({"create, false", "create, true", "begin, false", "execute, true"})
  void rowsThatWereNeverCommittedAreRejectedAndNotUnknown(String call, boolean numbered) {
    driver.always(call, work -> Mono.never());
    run(numbered);
    time.advanceTimeBy(HOUR);
    assertThat(driver.count(call)).as("the first try and five more").isEqualTo(6);
    assertThat(outcomes)
        .isNotEmpty()
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertNamesTheLimit(rejected.reason())));
    assertNoConnectionIsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "begin", "execute", "commit", "select"})
  void aCancelWhileTheLimitRunsLeavesNoConnection(String call) {
    silent(call);
    if (call.equals("select")) {
      silent("commit");
    }
    Disposable running = run(false);
    if (call.equals("select")) {
      time.advanceTimeBy(DEFAULT.plusSeconds(5));
    }
    assertThat(driver.count(call)).isOne();
    running.dispose();
    assertNoConnectionIsLeft();
    time.advanceTimeBy(HOUR);
    assertThat(driver.count(call)).isOne();
  }

  @Test
  void withZeroACommitIsWaitedForWithoutALimit() {
    silent("commit");
    run(keyed().arrays(false).transactionTimeout(Duration.ZERO), 1L, 2L, 3L);
    time.advanceTimeBy(HOUR);
    assertThat(outcomes).isEmpty();
    assertThat(driver.opened()).hasSize(1);
  }
}
