package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;

/**
 * A transaction that is cancelled at any step is committed or rolled back, never both, and gives
 * its connection back once. The steps are the subscriptions to operators, one transaction for each.
 */
class CancelAgainstCommitTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String HOOK = "cancel";

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private final AtomicInteger steps = new AtomicInteger();

    /** The step at which to cancel; 0 for none. */
    private final AtomicInteger cancelAt = new AtomicInteger();

    private final AtomicReference<@Nullable Disposable> running = new AtomicReference<>();

    @BeforeEach
    void watchSteps() {
      Hooks.onEachOperator(
          HOOK,
          Operators.lift(
              (publisher, subscriber) -> {
                if (steps.incrementAndGet() == cancelAt.get()) {
                  Objects.requireNonNull(running.get()).dispose();
                }
                return subscriber;
              }));
    }

    @AfterEach
    void stopWatching() {
      Hooks.resetOnEachOperator(HOOK);
    }

    private static ConditionFactory await() {
      return Awaitility.await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1));
    }

    @Test
    void aCancelAtAnyStepLeavesACommitOrARollback(R2dbcDatabase database) {
      database.execute("CREATE TABLE steps (step INTEGER)");
      R2dbcDialect dialect =
          R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
      List<Integer> committed = new ArrayList<>();
      int rolledBack = 0;
      int step = 0;
      for (boolean completed = false; !completed; ) {
        step++;
        WatchedConnections watched = new WatchedConnections(database.connections());
        completed = !isCancelledAt(step, insertion(step, watched, dialect));
        watched.awaitClosed();
        assertThat(watched.closedTwice()).isZero();
        List<String> ends = watched.log().stream().filter(Behaviour::isEnd).toList();
        long begins = watched.log().stream().filter("begin"::equals).count();

        assertThat(ends).as("ends of the transaction of step %d", step).hasSize((int) begins);
        if (ends.contains("commit")) {
          committed.add(step);
        }
        rolledBack += ends.contains("rollback") ? 1 : 0;
      }
      assertThat(stored(database)).containsExactlyInAnyOrderElementsOf(committed);
      assertThat(rolledBack).as("transactions that were rolled back").isGreaterThan(3);
      assertThat(committed).as("committed, the last one without a cancel").contains(step);
    }

    private static boolean isEnd(String event) {
      return event.equals("commit") || event.equals("rollback");
    }

    private static Mono<Long> insertion(
        int step, WatchedConnections watched, R2dbcDialect dialect) {
      return Connections.of(watched)
          .useInTransaction(
              dialect,
              connection ->
                  Flux.from(
                          connection
                              .createStatement("INSERT INTO steps (step) VALUES (" + step + ")")
                              .execute())
                      .concatMap(Result::getRowsUpdated)
                      .next());
    }

    /** Runs work that is cancelled at a step; false if it completed before that step. */
    private boolean isCancelledAt(int step, Mono<?> work) {
      Sinks.Empty<Void> start = Sinks.empty();
      AtomicInteger completions = new AtomicInteger();
      Disposable.Swap current = Disposables.swap();
      cancelAt.set(0);
      running.set(current);
      current.update(
          start.asMono().then(work).subscribe(v -> {}, e -> {}, completions::incrementAndGet));
      steps.set(0);
      cancelAt.set(step);
      start.tryEmitEmpty().orThrow();
      await().until(() -> current.isDisposed() || completions.get() != 0);
      cancelAt.set(0);
      return completions.get() == 0;
    }

    private static List<Integer> stored(R2dbcDatabase database) {
      return Mono.usingWhen(
              Mono.defer(() -> Mono.from(database.connections().create())),
              connection ->
                  Flux.from(connection.createStatement("SELECT step FROM steps").execute())
                      .concatMap(result -> result.map(row -> row.get(0, Integer.class)))
                      .collectList(),
              Connection::close)
          .blockOptional(LIMIT)
          .orElseThrow();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
