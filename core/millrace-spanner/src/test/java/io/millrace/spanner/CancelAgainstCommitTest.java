package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Statement;
import com.google.protobuf.ByteString;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.RollbackRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;
import reactor.util.context.Context;

/**
 * A transaction that is cancelled near its commit is committed or rolled back, never both. Counted
 * by the requests that reach the server, and by how the client's manager is used.
 */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
class CancelAgainstCommitTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Statement QUERY = Statement.of("SELECT 1");
  private static final String HOOK = "cancel";
  private static final int RACES = 300;

  private final MockedSpanner server = new MockedSpanner();
  private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();

  /** For the subscribers of this test alone: errors of earlier tests may still come. */
  private final Context watched =
      Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);

  private CountedManagers managers;

  @BeforeEach
  void warmUp() {
    server.answers(QUERY, 1);
    SpannerTransactions.readWrite(server.client(), tx -> tx.query(QUERY).then()).block(LIMIT);
    managers = new CountedManagers(server.client());
  }

  @AfterEach
  void stop() {
    Hooks.resetOnEachOperator(HOOK);
    server.close();
  }

  private Mono<Integer> transaction(Mono<?> beforeCommit) {
    return SpannerTransactions.readWrite(
        managers.client(), tx -> tx.query(QUERY).then(beforeCommit).thenReturn(1));
  }

  /** The moments between one step of a transaction and the next, one transaction for each. */
  @Test
  void aCancelBetweenAnyTwoStepsLeavesACommitOrARollback() {
    AtomicInteger steps = new AtomicInteger();
    AtomicInteger cancelAt = new AtomicInteger();
    AtomicReference<@Nullable Disposable> running = new AtomicReference<>();
    Hooks.onEachOperator(
        HOOK,
        Operators.lift(
            (publisher, subscriber) -> { // called when an operator is subscribed to
              if (steps.incrementAndGet() == cancelAt.get()) {
                Objects.requireNonNull(running.get()).dispose();
              }
              return subscriber;
            }));
    int cancelled = 0;
    boolean completed = false;
    while (!completed) {
      Disposable.Swap current = Disposables.swap();
      AtomicInteger ends = new AtomicInteger();
      Sinks.Empty<Void> start = Sinks.empty();
      Mono<Integer> work = start.asMono().then(Mono.defer(() -> transaction(Mono.empty())));
      running.set(current);
      cancelAt.set(0);
      current.update(work.subscribe(value -> {}, failure -> {}, ends::incrementAndGet, watched));
      steps.set(0);
      cancelAt.set(cancelled + 1);
      start.tryEmitEmpty().orThrow();
      await().until(() -> current.isDisposed() || ends.get() != 0);
      completed = !current.isDisposed();
      cancelled++;
      everyManagerIsClosedOnce();
    }
    cancelAt.set(0);
    assertThat(cancelled).as("moments at which a transaction was cancelled").isGreaterThan(10);
    assertCommittedOrRolledBack(5, 1);
  }

  /** In some rounds one of the two comes first for certain; in the others they race. */
  @Test
  void aCancelAtTheMomentOfTheCommitLeavesACommitOrARollback() {
    for (int round = 0; round < RACES; round++) {
      Sinks.Empty<Void> mayCommit = Sinks.empty();
      Sinks.Empty<Void> hasRead = Sinks.empty();
      Disposable running =
          transaction(
                  Mono.defer(
                      () -> {
                        hasRead.tryEmitEmpty().orThrow();
                        return mayCommit.asMono();
                      }))
              .subscribe(value -> {}, failure -> {}, () -> {}, watched);
      hasRead.asMono().block(LIMIT);
      int commits = commits();
      Runnable commit = () -> mayCommit.tryEmitEmpty().orThrow();
      switch (round % 10) {
        case 0 -> {
          running.dispose();
          commit.run();
        }
        case 1 -> {
          commit.run();
          await().until(() -> commits() > commits);
          running.dispose();
        }
        default ->
            RaceTestUtils.race(
                (int) LIMIT.toSeconds(), Schedulers.boundedElastic(), commit, running::dispose);
      }
    }
    assertCommittedOrRolledBack(RACES / 10 - 1, RACES / 10);
  }

  private static ConditionFactory await() {
    return Awaitility.await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1));
  }

  private void everyManagerIsClosedOnce() {
    await().untilAsserted(() -> assertThat(managers.open()).isEmpty());
    assertThat(managers.closedTwice()).isZero();
  }

  private void assertCommittedOrRolledBack(int fewestRollbacks, int fewestCommits) {
    everyManagerIsClosedOnce();
    List<ByteString> begun = new ArrayList<>(server.begun());
    await().untilAsserted(() -> assertThat(ended()).containsAll(begun));
    assertThat(managers.committedAfterClose()).as("commits after the rollback").isZero();
    assertThat(dropped).isEmpty();
    assertThat(ended()).as("ended once").containsExactlyInAnyOrderElementsOf(begun);
    assertThat(server.requests(RollbackRequest.class)).hasSizeGreaterThan(fewestRollbacks);
    assertThat(commits()).isGreaterThan(fewestCommits);
  }

  private int commits() {
    return server.requests(CommitRequest.class).size();
  }

  /** The transactions that the server was asked to commit or to roll back. */
  private List<ByteString> ended() {
    List<ByteString> ended = new ArrayList<>();
    server.requests(CommitRequest.class).forEach(commit -> ended.add(commit.getTransactionId()));
    server.requests(RollbackRequest.class).forEach(end -> ended.add(end.getTransactionId()));
    return ended;
  }
}
