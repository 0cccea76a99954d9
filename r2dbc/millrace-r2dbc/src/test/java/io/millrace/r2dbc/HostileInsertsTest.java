package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Sequence.Assigner;
import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A driver that breaks the rules, and functions of the application that throw: each row of a
 * pipeline has an outcome all the same, and no connection is lost.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class HostileInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The drivers of all tests, by what was tested. A writer keeps its pool for a while. */
  private static final Map<String, ScriptedDriver> DRIVERS = new ConcurrentHashMap<>();

  private final ScriptedDriver driver = new ScriptedDriver();

  @BeforeEach
  void remember(TestInfo test) {
    DRIVERS.put(test.getTestMethod().orElseThrow().getName() + test.getDisplayName(), driver);
  }

  @AfterAll
  static void everyConnectionIsClosed() {
    assertThat(DRIVERS).hasSizeGreaterThan(50);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(DRIVERS)
                    .allSatisfy((test, driver) -> assertThat(driver.open()).as(test).isZero()));
  }

  private R2dbcInserts<Long> inserts() {
    return quick(R2dbcInserts.<Long>into(driver, "events", (n, row) -> row.set("id", n))).key("id");
  }

  private static <T> R2dbcInserts<T> quick(R2dbcInserts<T> inserts) {
    return inserts
        .dialect(R2dbcDialect.POSTGRESQL)
        .groupSize(3)
        .concurrency(1)
        .retries(1, Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static <T> List<InsertOutcome<T>> outcomes(Flux<T> rows, R2dbcInserts<T> inserts) {
    return Objects.requireNonNull(
        rows.transform(inserts.ordered().outcomes()).collectList().block(LIMIT));
  }

  private void loseAnswers(String call) {
    driver.always(
        call, work -> Mono.error(new R2dbcNonTransientResourceException("connection reset")));
  }

  static Stream<Arguments> everyCall() {
    return DriverFault.at(
        "create",
        "begin",
        "isAutoCommit",
        "createStatement",
        "execute",
        "updated",
        "commit",
        "rollback",
        "close",
        "select",
        "map");
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void everyRowHasAnOutcomeWhateverTheDriverDoes(String call, DriverFault fault) {
    if (call.equals("rollback")) {
      driver.always("updated", work -> Mono.error(new IllegalStateException("for the test")));
    }
    if (call.equals("select") || call.equals("map")) { // which look for rows
      loseAnswers("commit");
    }
    driver.always(call, fault);

    R2dbcInserts<Long> inserts = inserts().dialect(ScriptedDriver.IN_TRANSACTIONS);
    assertThat(outcomes(Flux.just(1L, 2L, 3L), inserts)).hasSize(3);

    await("the call").until(() -> driver.count(call) > 0); // a close follows the outcome
    driver.behave();
    assertThat(outcomes(Flux.just(4L), inserts())).hasOnlyElementsOfType(Committed.class);
  }

  static Stream<Arguments> everyCallOfOneStatement() {
    return DriverFault.at(
        "create",
        "isAutoCommit",
        "createStatement",
        "execute",
        "updated",
        "close",
        "select",
        "map");
  }

  @ParameterizedTest
  @MethodSource("everyCallOfOneStatement")
  void aRowInOneStatementHasAnOutcomeWhateverTheDriverDoes(String call, DriverFault fault) {
    if (call.equals("select") || call.equals("map")) { // which look for rows
      loseAnswers("updated");
    }
    driver.always(call, fault);

    assertThat(outcomes(Flux.just(1L), inserts())).hasSize(1);

    await("the call").until(() -> driver.count(call) > 0); // a close follows the outcome
    driver.behave();
    assertThat(outcomes(Flux.just(2L), inserts())).hasOnlyElementsOfType(Committed.class);
  }

  /** A server after a failover, for longer than the retries take. */
  @ParameterizedTest
  @CsvSource({"25006,0", "90097,90097", "HY000,1290", "HY000,1836"})
  void aServerThatTakesNoWritesLeavesNoDoubt(String state, int code) {
    driver.always(
        "execute",
        work -> Mono.error(new R2dbcNonTransientResourceException("read-only", state, code)));
    R2dbcInserts<Long> inserts =
        code < 10_000 ? inserts().dialect(R2dbcDialect.MARIADB) : inserts();

    assertThat(outcomes(Flux.just(1L), inserts)).hasOnlyElementsOfType(Rejected.class);
    assertThat(driver.count("select")).as("look-ups").isZero();
  }

  private static <T> T fail() {
    throw new IllegalStateException("for the test");
  }

  @Test
  void aColumnFunctionThatThrowsRejectsItsRow() {
    List<InsertOutcome<Long>> outcomes =
        outcomes(
            Flux.just(1L, 2L, 3L),
            quick(
                R2dbcInserts.<Long>into(
                    driver, "events", (n, row) -> row.set("id", n == 2 ? fail() : n))));

    assertThat(outcomes)
        .hasExactlyElementsOfTypes(Committed.class, Rejected.class, Committed.class);
  }

  @Test
  void anAssignerThatThrowsRejectsItsRow() {
    assertRejectsTheSecond((n, number) -> n == 2 ? fail() : n);
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void anAssignerThatReturnsNullRejectsItsRow() {
    assertRejectsTheSecond((n, number) -> n == 2 ? null : n);
  }

  private void assertRejectsTheSecond(Assigner<Long, Long> assigner) {
    TransactionalSequence<Connection> numbers =
        R2dbcSequenceStore.builder(driver)
            .dialect(R2dbcDialect.POSTGRESQL)
            .build()
            .transactional("orders");
    List<InsertOutcome<Long>> outcomes =
        outcomes(Flux.just(1L, 2L, 3L), inserts().numbered(numbers, assigner));

    assertThat(outcomes)
        .hasExactlyElementsOfTypes(Committed.class, Rejected.class, Committed.class);
    assertThat(driver.count("rollback")).isPositive();
  }
}
