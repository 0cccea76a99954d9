package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.SequenceBlock;
import io.millrace.databases.Pools;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/**
 * A driver that fails at any call: it throws, or its publisher does. Nothing hangs, and no
 * connection is lost.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class HostileDriverTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  static Stream<Arguments> everyCall() {
    return DriverFault.at(
        "create",
        "close",
        "begin",
        "commit",
        "rollback",
        "isAutoCommit",
        "createStatement",
        "execute",
        "select",
        "map");
  }

  private static void misbehave(ScriptedDriver driver, String call, DriverFault fault) {
    driver.always(call, fault);
    if (call.equals("rollback")) { // which nobody asks for where all goes well
      driver.always("updated", work -> Mono.error(new IllegalStateException("for the test")));
    }
  }

  private static void endsByItself(Throwable failure, Object call) {
    assertThat(String.valueOf(failure)).as("%s", call).doesNotContain("Timeout on blocking");
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void aStoreOverTheDriverEndsEachRequestAndLeavesNoConnectionBehind(
      String call, DriverFault fault) {
    long calls = 0;
    for (R2dbcDialect dialect : new R2dbcDialect[] {R2dbcDialect.POSTGRESQL, R2dbcDialect.H2}) {
      ScriptedDriver driver = new ScriptedDriver();
      R2dbcSequenceStore store = R2dbcSequenceStore.builder(driver).dialect(dialect).build();
      store.reserve("orders", 1).block(LIMIT); // keeps a connection, where the driver is dear
      misbehave(driver, call, fault);

      endsByItself(catchThrowable(() -> store.reserve("orders", 1).block(LIMIT)), call);
      endsByItself(
          catchThrowable(() -> TestTransactions.advance(driver, dialect, "orders").block(LIMIT)),
          call);

      driver.behave();
      SequenceBlock block = store.reserve("orders", 1).block(LIMIT);
      assertThat(block).isNotNull();
      store.close().block(LIMIT);
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(
              () -> {
                assertThat(driver.open()).as("%s not closed", dialect).isZero();
                assertThat(store.connections.hung.get()).isZero();
              });
      calls += driver.count(call);
    }
    assertThat(calls).as("the call was made").isPositive();
  }

  static Stream<Arguments> everyCallOfWork() {
    return everyCall()
        .filter(arguments -> !List.of("create", "close").contains(arguments.get()[0]));
  }

  @ParameterizedTest
  @MethodSource("everyCallOfWork")
  void aPoolOfOneConnectionStaysWhole(String call, DriverFault fault) {
    ScriptedDriver driver = new ScriptedDriver();
    ConnectionPool pool = Pools.of(1, driver);
    R2dbcSequenceStore store =
        R2dbcSequenceStore.builder(pool).dialect(R2dbcDialect.POSTGRESQL).build();
    misbehave(driver, call, fault);
    for (int i = 0; i < 2; i++) {
      endsByItself(catchThrowable(() -> store.reserve("orders", 1).block(LIMIT)), call);
      endsByItself(
          catchThrowable(
              () -> TestTransactions.advance(pool, R2dbcDialect.POSTGRESQL, "orders").block(LIMIT)),
          call);
    }
    driver.behave();
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    Pools.awaitReturns(pool);
    assertThat(driver.count(call)).isPositive();
    pool.dispose();
  }
}
