package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.spanner.v1.CommitRequest;
import io.grpc.Status;
import io.millrace.blocking.SpannerClientWaits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/**
 * No thread of Reactor is blocked by a transaction on a multiplexed session, nor by a client's
 * first.
 */
@Tag("blockhound")
class MultiplexedSessionsBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Mutation INSERT =
      Mutation.newInsertBuilder("Things").set("Total").to(8).build();
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  private final MockedSpanner server = new MockedSpanner();

  @BeforeEach
  void arm() {
    server.hasRow("Things", "Total", 7);
    SpannerClientWaits.watch()
        .loadIntegrations()
        .blockingMethodCallback(
            method ->
                BLOCKED.add(method + " by " + Arrays.toString(new Throwable().getStackTrace())))
        .install();
    BLOCKED.clear();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Mono<Long> readThenInsert(DatabaseClient client) {
    return SpannerTransactions.readWrite(
            client,
            tx ->
                tx.readRow("Things", Key.of(1), List.of("Total"))
                    .map(row -> row.getLong(0))
                    .doOnNext(total -> tx.buffer(INSERT)))
        .subscribeOn(Schedulers.parallel());
  }

  @Test
  void blockingAThreadOfReactorIsNoticed() {
    StepVerifier.create(
            Mono.fromRunnable(() -> Awaitility.await().until(() -> true))
                .subscribeOn(Schedulers.parallel()))
        .expectComplete()
        .verify(LIMIT);
    assertThat(BLOCKED).isNotEmpty();
  }

  @Test
  void transactionsBlockNothingFromTheFirstOfAClientToARetry() {
    server.service().freeze();
    DatabaseClient client = server.client();
    StepVerifier.create(Flux.range(0, 8).flatMap(i -> readThenInsert(client)).count())
        .expectSubscription()
        .then(server.service()::unfreeze)
        .expectNext(8L)
        .expectComplete()
        .verify(LIMIT);
    server.failsCommit(Status.ABORTED);
    StepVerifier.create(readThenInsert(client)).expectNext(7L).expectComplete().verify(LIMIT);
    assertThat(server.requests(CommitRequest.class)).hasSize(10);
    assertThat(BLOCKED).isEmpty();
  }
}
