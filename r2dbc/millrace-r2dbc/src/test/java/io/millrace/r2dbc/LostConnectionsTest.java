package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.databases.Pools;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which failures cost a connection. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class LostConnectionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ScriptedDriver driver = new ScriptedDriver();

  /** Of the class that r2dbc-postgresql gives to most failures. */
  private static final class Reported extends R2dbcNonTransientResourceException {
    private static final long serialVersionUID = 1L;

    Reported(ErrorCategory kind) {
      super(
          "for the test",
          switch (kind) {
            case CONFLICT -> "40001";
            case DUPLICATE_KEY -> "23505";
            case TABLE_MISSING -> "42P01";
            case NOT_PERMITTED -> "42501";
            case REFUSED -> "42703";
            case CONNECTION_LOST -> "25006";
            case OTHER -> "57014";
          });
    }
  }

  private static boolean costsTheConnection(ErrorCategory kind) {
    return kind == ErrorCategory.CONNECTION_LOST || kind == ErrorCategory.OTHER;
  }

  private void failOnce(ErrorCategory kind) {
    driver.atNext("execute", usual -> Mono.error(new Reported(kind)));
  }

  private static R2dbcSequenceStore over(io.r2dbc.spi.ConnectionFactory connections) {
    return R2dbcSequenceStore.builder(connections).dialect(R2dbcDialect.POSTGRESQL).build();
  }

  /** Works again, on the first connection or on another one, and holds none. */
  private void isWhole(ConnectionPool pool, boolean replaced) {
    assertThat(over(pool).reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.opened()).hasSize(replaced ? 2 : 1);
    assertThat(driver.opened().get(0).closes() > 0).isEqualTo(replaced);
    assertThat(driver.open()).isEqualTo(1);
    assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
    pool.dispose();
  }

  /** Whether the work succeeds depends on the failure: some are tried again. */
  private static void letEnd(ThrowingCallable work) {
    Throwable failure = catchThrowable(work);
    assertThat(failure instanceof AssertionError).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void replacesAStoresPooledConnectionAfterItsFault(ErrorCategory kind) {
    ConnectionPool pool = Pools.of(1, driver);
    failOnce(kind);
    letEnd(() -> over(pool).reserve("orders", 1).block(LIMIT));
    isWhole(pool, costsTheConnection(kind));
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void replacesATransactionsPooledConnectionAfterItsFault(ErrorCategory kind) {
    ConnectionPool pool = Pools.of(1, driver);
    failOnce(kind);
    letEnd(() -> TestTransactions.advance(pool, R2dbcDialect.POSTGRESQL, "orders").block(LIMIT));
    assertThat(driver.count("rollback")).isEqualTo(1);
    isWhole(pool, costsTheConnection(kind));
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void aPooledConnectionIsReplacedOnceIfTheRollbackFailsToo(ErrorCategory kind) {
    ConnectionPool pool = Pools.of(1, driver);
    failOnce(kind);
    driver.atNext("rollback", usual -> Mono.error(new IOException("for the test")));
    letEnd(() -> TestTransactions.advance(pool, R2dbcDialect.POSTGRESQL, "orders").block(LIMIT));
    assertThat(driver.count("rollback")).isEqualTo(1);
    isWhole(pool, true);
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void replacesAPipelinesPooledConnectionAfterItsFault(ErrorCategory kind) {
    ConnectionPool pool = Pools.of(1, driver);
    failOnce(kind);
    letEnd(
        () ->
            Flux.just(1L)
                .transform(
                    R2dbcInserts.<Long>into(pool, "sold", (id, row) -> row.set("id", id))
                        .dialect(R2dbcDialect.POSTGRESQL)
                        .rows())
                .blockLast(LIMIT));
    isWhole(pool, costsTheConnection(kind));
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void closesAStoresConnectionAfterItsFault(ErrorCategory kind) {
    R2dbcSequenceStore store = over(driver);
    store.reserve("orders", 1).block(LIMIT);
    failOnce(kind);
    letEnd(() -> store.reserve("orders", 1).block(LIMIT));
    assertThat(driver.opened().get(0).closes() > 0).isEqualTo(costsTheConnection(kind));
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.open()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void aConnectionThatASourceSharesIsNotClosed(ErrorCategory kind) {
    R2dbcSequenceStore store = over(new SharedConnection(driver));
    failOnce(kind);
    letEnd(() -> store.reserve("orders", 1).block(LIMIT));
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    assertThat(driver.opened()).hasSize(1);
    assertThat(driver.open()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ErrorCategory.class)
  void theConnectionOfTheApplicationsTransactionIsLeftToTheApplication(ErrorCategory kind) {
    ConnectionPool pool = Pools.of(1, driver);
    Connection own = pool.create().blockOptional(LIMIT).orElseThrow();
    Mono.from(own.beginTransaction()).block(LIMIT);
    failOnce(kind);
    assertThat(catchThrowable(() -> over(pool).transactional("orders").next(own).block(LIMIT)))
        .isNotNull();
    assertThat(driver.open()).isEqualTo(1);
    Mono.from(own.rollbackTransaction()).then(Mono.from(own.close())).block(LIMIT);
    isWhole(pool, false);
  }

  @Test
  void aSequenceThatDoesNotExistCostsNoConnection() {
    ConnectionPool pool = Pools.of(1, driver);
    driver.always("map", usual -> Flux.empty());
    assertThat(catchThrowable(() -> over(pool).reserve("absent", 1).block(LIMIT)))
        .isInstanceOf(io.millrace.SequenceNotFoundException.class);
    driver.behave();
    isWhole(pool, false);
  }
}
