package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.protobuf.ByteString;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.ReadRequest;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.TransactionOptions;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/**
 * Transactions on multiplexed sessions, the client's default. The emulator cannot run them side by
 * side, so the server is a mock, and the tests check the requests that it receives.
 */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
class MultiplexedSessionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Statement QUERY = Statement.of("SELECT Total FROM Things");
  private static final Mutation INSERT =
      Mutation.newInsertBuilder("Things").set("Total").to(8).build();

  private final MockedSpanner server = new MockedSpanner();
  private final AtomicInteger runs = new AtomicInteger();

  MultiplexedSessionsTest() {
    server.hasRow("Things", "Total", 7);
  }

  /** All requests went to the one multiplexed session that the server created. */
  @AfterEach
  void noRegularSessionWasUsed() {
    try (server) {
      assertThat(server.sessionsAskedFor())
          .isNotEmpty()
          .allMatch(request -> request.getSession().getMultiplexed());
      // The client holds regular ones in reserve; the mock keeps the others elsewhere.
      assertThat(server.sessionsUsed())
          .hasSizeLessThanOrEqualTo(1)
          .noneMatch(server.service().getSessions()::containsKey);
    }
  }

  private static Mono<Long> read(SpannerTransaction tx) {
    return tx.readRow("Things", Key.of(1), List.of("Total")).map(row -> row.getLong(0));
  }

  /** Reads, buffers an insert, and gives the number of the run. */
  private Mono<Integer> readThenInsert(SpannerTransaction tx) {
    int run = runs.incrementAndGet();
    return read(tx).doOnNext(total -> tx.buffer(INSERT)).thenReturn(run);
  }

  private static ByteString previous(TransactionOptions begin) {
    return begin.getReadWrite().getMultiplexedSessionPreviousTransactionId();
  }

  /**
   * The aborted transactions that the reads which begin transactions name as their predecessors.
   */
  private List<ByteString> previousOfBegins() {
    return server.requests(ReadRequest.class).stream()
        .filter(request -> request.getTransaction().hasBegin())
        .map(request -> previous(request.getTransaction().getBegin()))
        .toList();
  }

  @Test
  void aTransactionIsBegunByItsFirstReadAndItsValueComesAfterTheCommit() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(), tx -> read(tx).doOnNext(total -> tx.buffer(INSERT))))
        .expectNext(7L)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes()).containsExactly(ReadRequest.class, CommitRequest.class);
    assertThat(server.requests(ReadRequest.class).get(0).getTransaction().getBegin().hasReadWrite())
        .isTrue();
    CommitRequest commit = server.requests(CommitRequest.class).get(0);
    assertThat(commit.getMutationsCount()).isEqualTo(1);
    assertThat(commit.getTransactionId()).isEqualTo(server.begun().get(0));
    assertThat(commit.hasPrecommitToken()).isTrue();
  }

  @Test
  void beginsATransactionThatOnlyBuffers() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    Mono.fromCallable(
                        () -> {
                          tx.buffer(INSERT);
                          return 1;
                        })))
        .expectNext(1)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes())
        .containsExactly(BeginTransactionRequest.class, CommitRequest.class);
    assertThat(server.requests(BeginTransactionRequest.class).get(0).hasMutationKey()).isTrue();
    assertThat(server.requests(CommitRequest.class).get(0).hasPrecommitToken()).isTrue();
  }

  @Test
  void repeatsACommitWithoutTheBody() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    readThenInsert(tx)
                        .doOnNext(
                            run ->
                                server
                                    .service()
                                    .markCommitRetryOnTransaction(server.begun().get(0)))))
        .expectNext(1)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes())
        .containsExactly(ReadRequest.class, CommitRequest.class, CommitRequest.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void anAbortOfTheFirstReadRunsTheWholeBodyAgain() {
    DatabaseClient client = server.client();
    server.service().abortNextStatement();
    StepVerifier.create(SpannerTransactions.readWrite(client, this::readThenInsert))
        .expectNext(2)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes())
        .containsExactly(ReadRequest.class, ReadRequest.class, CommitRequest.class);
    // The first one was aborted before the client learned its name.
    assertThat(previousOfBegins()).containsExactly(ByteString.EMPTY, ByteString.EMPTY);
    assertThat(server.requests(CommitRequest.class).get(0).getTransactionId())
        .isEqualTo(server.begun().get(1));
  }

  @Test
  void retriesAfterAnAbortedReadWithThePriorityOfTheFirst() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    readThenInsert(tx)
                        .doOnNext(
                            run -> {
                              if (run == 1) {
                                server.service().abortNextStatement();
                              }
                            })
                        .flatMap(run -> read(tx).thenReturn(run))))
        .expectNext(2)
        .expectComplete()
        .verify(LIMIT);
    assertThat(previousOfBegins()).containsExactly(ByteString.EMPTY, server.begun().get(0));
    assertThat(server.requests(CommitRequest.class))
        .singleElement()
        .satisfies(
            commit -> {
              assertThat(commit.getTransactionId()).isEqualTo(server.begun().get(1));
              assertThat(commit.getMutationsCount()).isEqualTo(1);
            });
  }

  @Test
  void retriesAfterAnAbortedCommitWithThePriorityOfTheFirst() {
    server.failsCommit(Status.ABORTED);
    StepVerifier.create(SpannerTransactions.readWrite(server.client(), this::readThenInsert))
        .expectNext(2)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes())
        .containsExactly(
            ReadRequest.class, CommitRequest.class, ReadRequest.class, CommitRequest.class);
    assertThat(previousOfBegins()).containsExactly(ByteString.EMPTY, server.begun().get(0));
  }

  @Test
  void keepsThePriorityOverSeveralAborts() {
    server.failsCommit(Status.ABORTED);
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx -> {
                  if (runs.get() == 1) {
                    server.service().abortNextStatement();
                  }
                  return readThenInsert(tx);
                }))
        .expectNext(3)
        .expectComplete()
        .verify(LIMIT);
    ByteString first = server.begun().get(0);
    assertThat(previousOfBegins()).containsExactly(ByteString.EMPTY, first, first);
  }

  @Test
  void commitsAfterTheBodyRecoversFromItsFirstStatement() {
    server.refuses(QUERY, Status.INVALID_ARGUMENT);
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    tx.query(QUERY)
                        .then()
                        .onErrorResume(SpannerException.class, refused -> Mono.empty())
                        .then(readThenInsert(tx))))
        .expectNext(2)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.differentRequestTypes())
        .containsExactly(
            ExecuteSqlRequest.class,
            BeginTransactionRequest.class,
            ExecuteSqlRequest.class,
            ReadRequest.class,
            CommitRequest.class);
    assertThat(server.requests(CommitRequest.class).get(0).getTransactionId())
        .isEqualTo(server.begun().get(1));
  }

  @Test
  void cancellingDuringTheFirstReadRollsBackOnceItIsAnswered() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                server.client(),
                tx -> {
                  server.service().freeze();
                  return readThenInsert(tx);
                }))
        .expectSubscription()
        .then(
            () ->
                Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> !server.requests(ReadRequest.class).isEmpty()))
        .thenCancel()
        .verify(LIMIT);
    server.service().unfreeze();
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(server.requestTypes())
                    .containsExactly(ReadRequest.class, RollbackRequest.class));
    assertThat(server.requests(RollbackRequest.class).get(0).getTransactionId())
        .isEqualTo(server.begun().get(0));
  }

  @Test
  void cancellingWhileThereIsNoSessionYetSendsNothing() {
    server.service().freeze();
    DatabaseClient client = server.client();
    StepVerifier.create(SpannerTransactions.readWrite(client, this::readThenInsert))
        .expectSubscription()
        .then(
            () ->
                Awaitility.await().atMost(LIMIT).until(() -> !server.sessionsAskedFor().isEmpty()))
        .thenCancel()
        .verify(LIMIT);
    server.service().unfreeze();
    StepVerifier.create(SpannerTransactions.readWrite(client, this::readThenInsert))
        .expectNext(1)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requestTypes()).containsExactly(ReadRequest.class, CommitRequest.class);
  }

  @Test
  void theRefusalOfASessionIsTheErrorOfTheTransactions() {
    server.refusesSessions(Status.PERMISSION_DENIED);
    DatabaseClient client = server.client();
    for (int i = 0; i < 2; i++) {
      StepVerifier.create(SpannerTransactions.readWrite(client, this::readThenInsert))
          .expectErrorSatisfies(
              e ->
                  assertThat(e)
                      .isInstanceOfSatisfying(
                          SpannerException.class,
                          refusal ->
                              assertThat(refusal.getErrorCode())
                                  .isEqualTo(ErrorCode.PERMISSION_DENIED)))
          .verify(LIMIT);
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void transactionsShareTheSession() {
    DatabaseClient client = server.client();
    StepVerifier.create(
            Flux.range(0, 20)
                .flatMap(i -> SpannerTransactions.readWrite(client, this::readThenInsert), 20)
                .count())
        .expectNext(20L)
        .expectComplete()
        .verify(LIMIT);
    assertThat(server.requests(CommitRequest.class))
        .extracting(CommitRequest::getTransactionId)
        .containsExactlyInAnyOrderElementsOf(server.begun());
  }

  @Test
  void theFirstUseOfAClientKeepsNoThreadOfReactorWaitingForTheSession() throws Exception {
    Scheduler single = Schedulers.newParallel("single", 1);
    server.service().freeze();
    CountDownLatch free = new CountDownLatch(1);
    Mono<Integer> transaction =
        Mono.defer(() -> SpannerTransactions.readWrite(server.client(), this::readThenInsert))
            .subscribeOn(single)
            .cache();
    Disposable running = transaction.subscribe();
    try {
      Awaitility.await().atMost(LIMIT).until(() -> !server.sessionsAskedFor().isEmpty());
      single.schedule(free::countDown);
      assertThat(free.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(server.requests()).isEmpty();
      server.service().unfreeze();
      StepVerifier.create(transaction).expectNext(1).expectComplete().verify(LIMIT);
    } finally {
      running.dispose();
      single.dispose();
    }
  }
}
