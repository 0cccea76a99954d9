package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import com.google.cloud.spanner.SpannerBatchUpdateException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.RequestOptions.Priority;
import io.grpc.Status;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

@SpannerTest(ddl = "CREATE TABLE Things (Id INT64 NOT NULL, Label STRING(MAX)) PRIMARY KEY (Id)")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpannerTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Wire wire;

  @BeforeAll
  void connect(EmulatorDatabase database) {
    wire = new Wire(database);
  }

  @AfterAll
  void disconnect() {
    wire.close();
  }

  @BeforeEach
  void empty() {
    wire.client().write(List.of(Mutation.delete("Things", KeySet.all())));
    wire.clear();
  }

  private <T> Mono<T> readWrite(Function<SpannerTransaction, Mono<T>> body) {
    return SpannerTransactions.readWrite(wire.client(), body);
  }

  private static Mutation insert(long id, String label) {
    return Mutation.newInsertBuilder("Things").set("Id").to(id).set("Label").to(label).build();
  }

  private List<Long> ids() {
    List<Long> ids = new ArrayList<>();
    try (var rows = wire.client().singleUse().read("Things", KeySet.all(), List.of("Id"))) {
      while (rows.next()) {
        ids.add(rows.getLong(0));
      }
    }
    return ids;
  }

  @Test
  void theBodysValueComesOnceItsMutationsAreCommitted() {
    Mono<String> result =
        readWrite(
            tx -> {
              tx.buffer(insert(1, "one"));
              tx.buffer(List.of(insert(2, "two"), insert(3, "three")));
              return Mono.just("done");
            });
    assertThat(wire.calls()).as("before subscription").isEmpty();
    StepVerifier.create(result).expectNext("done").expectComplete().verify(LIMIT);
    assertThat(ids()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aTransactionThatIsOverTakesNothingMore() {
    AtomicReference<@Nullable SpannerTransaction> kept = new AtomicReference<>();
    StepVerifier.create(
            readWrite(
                tx -> {
                  kept.set(tx);
                  tx.buffer(insert(1, "one"));
                  return Mono.just("done");
                }))
        .expectNext("done")
        .expectComplete()
        .verify(LIMIT);
    SpannerTransaction over = Objects.requireNonNull(kept.get());
    assertOver(() -> over.buffer(insert(2, "two")));
    assertOver(() -> over.buffer(List.of(insert(2, "two"))));
    assertOver(
        () -> over.executeUpdate(Statement.of("DELETE FROM Things WHERE TRUE")).block(LIMIT));
    assertThat(ids()).containsExactly(1L);
  }

  private static void assertOver(ThrowingCallable use) {
    assertThatIllegalStateException()
        .isThrownBy(use)
        .withMessageStartingWith("the transaction is over");
  }

  @Test
  void nothingIsEmittedBeforeTheCommitIsAcknowledged() {
    wire.hold("Commit");
    List<String> emitted = new CopyOnWriteArrayList<>();
    AtomicBoolean completed = new AtomicBoolean();
    readWrite(
            tx -> {
              tx.buffer(insert(1, "one"));
              return Mono.just("done");
            })
        .subscribe(emitted::add, failure -> emitted.add("error"), () -> completed.set(true));
    Awaitility.await().atMost(LIMIT).until(() -> wire.heldAnswers() == 1);
    assertThat(emitted).isEmpty();
    assertThat(completed).isFalse();
    wire.release();
    Awaitility.await().atMost(LIMIT).untilTrue(completed);
    assertThat(emitted).containsExactly("done");
  }

  @Test
  void aBodyThatCompletesEmptyCommitsAndCompletesEmpty() {
    StepVerifier.create(readWrite(tx -> Mono.fromRunnable(() -> tx.buffer(insert(1, "one")))))
        .expectComplete()
        .verify(LIMIT);
    assertThat(ids()).containsExactly(1L);
  }

  @Test
  void aBatchOfStatementsIsOneRequestAndStopsAtTheFirstThatFails() {
    Statement one = Statement.of("INSERT Things (Id) VALUES (1)");
    Statement two = Statement.of("INSERT Things (Id) VALUES (2), (3)");
    StepVerifier.create(readWrite(tx -> tx.executeBatchUpdate(List.of(one, two))))
        .assertNext(counts -> assertThat(counts).containsExactly(1L, 2L))
        .expectComplete()
        .verify(LIMIT);
    assertThat(wire.calls()).containsExactly("ExecuteBatchDml", "Commit");
    assertThat(ids()).containsExactly(1L, 2L, 3L);

    Statement four = Statement.of("INSERT Things (Id) VALUES (4)");
    StepVerifier.create(readWrite(tx -> tx.executeBatchUpdate(List.of(four, one, two))))
        .expectErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOfSatisfying(
                        SpannerBatchUpdateException.class,
                        stopped -> assertThat(stopped.getUpdateCounts()).containsExactly(1L)))
        .verify(LIMIT);
    assertThat(ids()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void anErrorOfTheBodyRollsBackAndComesUnchanged() {
    RuntimeException failure = new RuntimeException("the body's own");
    StepVerifier.create(
            readWrite(
                tx ->
                    tx.executeUpdate(Statement.of("INSERT Things (Id) VALUES (1)"))
                        .then(Mono.error(failure))))
        .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure).hasNoSuppressedExceptions())
        .verify(LIMIT);
    assertThat(wire.calls()).containsExactly("ExecuteSql", "Rollback");
    assertThat(ids()).isEmpty();
  }

  @Test
  void aThrowOfTheBodyIsAnErrorOfTheBody() {
    IllegalStateException failure = new IllegalStateException("thrown");
    StepVerifier.create(
            readWrite(
                tx -> {
                  throw failure;
                }))
        .expectErrorSatisfies(e -> assertThat(e).isSameAs(failure))
        .verify(LIMIT);
    assertThat(wire.calls()).isEmpty();
  }

  @Test
  void aCancelBeforeTheCommitRollsBack() {
    TestPublisher<String> rest = TestPublisher.create();
    AtomicReference<@Nullable SpannerTransaction> handle = new AtomicReference<>();
    Disposable running =
        readWrite(
                tx -> {
                  handle.set(tx);
                  return tx.executeUpdate(Statement.of("INSERT Things (Id) VALUES (1)"))
                      .then(rest.mono());
                })
            .subscribe();
    Awaitility.await().atMost(LIMIT).until(rest::wasSubscribed);
    running.dispose();
    Awaitility.await().atMost(LIMIT).until(() -> wire.calls().contains("Rollback"));
    rest.assertCancelled();
    assertThat(wire.calls()).doesNotContain("Commit");
    SpannerTransaction over = Objects.requireNonNull(handle.get());
    assertThatIllegalStateException().isThrownBy(() -> over.buffer(insert(2, "late")));
    assertThat(ids()).isEmpty();
  }

  @Test
  void aCancelDuringTheCommitDoesNotStopIt() {
    wire.hold("Commit");
    Disposable running =
        readWrite(tx -> Mono.fromRunnable(() -> tx.buffer(insert(1, "one")))).subscribe();
    Awaitility.await().atMost(LIMIT).until(() -> wire.heldAnswers() == 1);
    running.dispose();
    wire.release();
    assertThat(ids()).containsExactly(1L);
    assertThat(wire.calls()).doesNotContain("Rollback");
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"UNKNOWN", "INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED", "DATA_LOSS"})
  void aCommitWithoutAnswerIsAnUnknownOutcomeAndTheBodyIsNotRunAgain(Status.Code code) {
    AtomicInteger runs = new AtomicInteger();
    wire.answerCommitWith(code.toStatus().withDescription("lost"));
    StepVerifier.create(
            readWrite(
                tx -> {
                  runs.incrementAndGet();
                  tx.buffer(insert(1, "one"));
                  return Mono.just("done");
                }))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(CommitOutcomeUnknownException.class)
                    .hasCauseInstanceOf(SpannerException.class))
        .verify(LIMIT);
    assertThat(runs).hasValue(1);
    assertThat(ids()).as("it took effect in fact").containsExactly(1L);
  }

  @Test
  void aCommitTheServerRefusesIsTheServersError() {
    wire.client().write(List.of(insert(1, "one")));
    AtomicInteger runs = new AtomicInteger();
    StepVerifier.create(
            readWrite(
                tx -> {
                  runs.incrementAndGet();
                  tx.buffer(insert(1, "again"));
                  return Mono.just("done");
                }))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        SpannerException.class,
                        refused ->
                            assertThat(refused.getErrorCode()).isEqualTo(ErrorCode.ALREADY_EXISTS)))
        .verify(LIMIT);
    assertThat(runs).hasValue(1);
  }

  @Test
  void theSubscribersContextIsVisibleInTheBody() {
    StepVerifier.create(
            readWrite(
                    tx ->
                        tx.readRow("Things", Key.of(1), List.of("Id"))
                            .map(row -> 0L)
                            .switchIfEmpty(
                                Mono.deferContextual(context -> Mono.just(context.get("id")))))
                .contextWrite(context -> context.put("id", 7L)))
        .expectNext(7L)
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void statementsStartedAtOnceAllRunInOneTransaction() {
    StepVerifier.create(
            readWrite(
                tx ->
                    Flux.range(1, 20)
                        .flatMap(
                            i ->
                                i % 2 == 0
                                    ? tx.executeUpdate(
                                        Statement.of("INSERT Things (Id) VALUES (" + i + ")"))
                                    : tx.query(Statement.of("SELECT 1")).count(),
                            20)
                        .reduce(0L, Long::sum)))
        .expectNext(20L)
        .expectComplete()
        .verify(LIMIT);
    assertThat(ids()).hasSize(10);
    assertThat(wire.calls()).doesNotContain("BeginTransaction").containsOnlyOnce("Commit");
  }

  @Test
  void aBodyMayGoOnAfterItsFirstStatementFailed() {
    StepVerifier.create(
            readWrite(
                tx ->
                    tx.executeUpdate(Statement.of("DELETE FROM Nowhere WHERE TRUE"))
                        .onErrorResume(
                            SpannerException.class,
                            missing ->
                                tx.executeUpdate(Statement.of("INSERT Things (Id) VALUES (2)")))))
        .expectNext(1L)
        .expectComplete()
        .verify(LIMIT);
    assertThat(ids()).containsExactly(2L);
    assertThat(wire.calls()).containsOnlyOnce("BeginTransaction");
  }

  @Test
  void rowsAreDeliveredAsTheyAreAskedFor() {
    wire.client().write(Flux.range(1, 120).map(i -> insert(i, "label " + i)).collectList().block());
    StepVerifier.create(
            SpannerTransactions.<List<Long>>readWrite(
                wire.client(),
                tx ->
                    tx.read("Things", KeySet.all(), List.of("Id"))
                        .limitRate(7)
                        .concatMap(
                            row ->
                                tx.readRow("Things", Key.of(row.getLong(0)), List.of("Id"))
                                    .map(same -> same.getLong(0)))
                        .collectList()))
        .assertNext(
            all ->
                assertThat(all)
                    .isEqualTo(Flux.range(1, 120).map(Integer::longValue).collectList().block()))
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void aStreamOfRowsMayBeCutShort() {
    wire.client().write(Flux.range(1, 120).map(i -> insert(i, "label " + i)).collectList().block());
    StepVerifier.create(
            readWrite(
                tx ->
                    tx.query(Statement.of("SELECT Id FROM Things ORDER BY Id"))
                        .take(3)
                        .map(row -> row.getLong(0))
                        .collectList()
                        .doOnNext(first -> tx.buffer(insert(1_000, "after " + first)))))
        .expectNext(List.of(1L, 2L, 3L))
        .expectComplete()
        .verify(LIMIT);
    assertThat(ids()).hasSize(121);
  }

  @Test
  void tagPriorityAndClientOptionsReachTheServer() {
    SpannerTransactionOptions options =
        SpannerTransactionOptions.defaults()
            .tag("another tag")
            .priority(RpcPriority.LOW)
            .clientOptions(Options.commitStats())
            .tag("a tag");
    StepVerifier.create(
            SpannerTransactions.readWrite(
                wire.client(), options, tx -> Mono.fromRunnable(() -> tx.buffer(insert(1, "one")))))
        .expectComplete()
        .verify(LIMIT);
    CommitRequest commit = wire.requests(CommitRequest.class).get(0);
    assertThat(commit.getRequestOptions().getTransactionTag()).isEqualTo("a tag");
    assertThat(commit.getRequestOptions().getPriority()).isEqualTo(Priority.PRIORITY_LOW);
    assertThat(commit.getReturnCommitStats()).isTrue();
  }

  @Test
  void contendingTransactionsAllCommitInTheEnd() {
    wire.client().write(List.of(insert(0, "")));
    Function<SpannerTransaction, Mono<String>> append =
        tx ->
            tx.readRow(
                    "Things",
                    Key.of(0),
                    List.of("Label"),
                    Options.lockHint(Options.RpcLockHint.EXCLUSIVE))
                .map(row -> row.getString(0) + "x")
                .doOnNext(
                    longer ->
                        tx.buffer(
                            Mutation.newUpdateBuilder("Things")
                                .set("Id")
                                .to(0)
                                .set("Label")
                                .to(longer)
                                .build()));
    StepVerifier.create(Flux.range(0, 64).flatMap(i -> readWrite(append), 16).collectList())
        .assertNext(labels -> assertThat(labels).doesNotHaveDuplicates().contains("x".repeat(64)))
        .expectComplete()
        .verify(LIMIT);
  }
}
