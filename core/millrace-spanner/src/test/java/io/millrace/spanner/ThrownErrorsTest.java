package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import io.millrace.TransactionalSequence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import reactor.core.publisher.Mono;

/**
 * An exception is thrown from each call that a transaction makes, of the client or of the
 * application: the transaction ends, and its manager is closed.
 */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThrownErrorsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Statement QUERY = Statement.of("SELECT Total FROM Things");
  private static final Statement DML = Statement.of("UPDATE Things SET Total = 0 WHERE TRUE");

  private final MockedSpanner server = new MockedSpanner();

  ThrownErrorsTest() {
    server.hasRow("Things", "Total", 7);
    server.hasRow("sequences", "next_value", 1);
    server.answers(QUERY, 9);
    server.updates(DML, 1);
    SpannerTransactions.readWrite(server.client(), tx -> tx.query(QUERY).then()).block(LIMIT);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Every kind of statement, with code of the application between them. */
  private static Mono<Long> everyStatement(ThrowingClient client, SpannerTransaction tx) {
    client.callOut("the body");
    return Mono.defer(
            () -> {
              client.callOut("the subscription to the body");
              return tx.executeUpdate(DML);
            })
        .doOnNext(rows -> client.callOut("the mapping of an update's answer"))
        .thenMany(tx.query(QUERY))
        .doOnNext(row -> client.callOut("the mapping of a row"))
        .then(tx.readRow("Things", Key.of(1), List.of("Total")))
        .doOnNext(row -> client.callOut("the mapping of a read row"))
        .then(Mono.fromRunnable(() -> tx.buffer(insert())))
        .then(Mono.fromCallable(() -> 1L))
        .doOnNext(end -> client.callOut("the last step"));
  }

  /** Goes on after its first statement failed, so that it is begun again, explicitly. */
  private static Mono<Long> recovering(ThrowingClient client, SpannerTransaction tx) {
    return tx.query(Statement.of("SELECT nothing"))
        .then()
        .onErrorResume(refused -> Mono.empty())
        .then(tx.executeUpdate(DML))
        .doOnNext(rows -> client.callOut("the mapping of an update's answer"));
  }

  private static Mutation insert() {
    return Mutation.newInsertBuilder("Things").set("Total").to(8).build();
  }

  /** Throws at the first call, then at the second, and so on for every call. */
  private int throwAtEveryCall(Function<ThrowingClient, Mono<?>> work) throws Exception {
    int last = Integer.MAX_VALUE;
    int throwAt = 1;
    for (; throwAt <= last; throwAt++) {
      CountedManagers managers = new CountedManagers(server.client());
      ThrowingClient client = new ThrowingClient(managers.client(), throwAt);
      CountDownLatch ended = new CountDownLatch(1);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      try {
        work.apply(client)
            .subscribe(
                value -> {},
                error -> {
                  failure.set(error);
                  ended.countDown();
                },
                ended::countDown);
      } catch (Throwable passedOn) { // by Reactor, to the subscriber, which has the error already
        failure.set(passedOn);
        ended.countDown();
      }
      assertThat(ended.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("ended after %s threw, call %d", client.hit(), throwAt)
          .isTrue();
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(1))
          .untilAsserted(
              () ->
                  assertThat(managers.open())
                      .as("managers open after %s threw, by call %s", client.hit(), client.calls())
                      .isEmpty());
      assertThat(managers.closedTwice()).isZero();
      if (client.hit().equals("nothing")) {
        assertThat(failure.get()).isNull();
        last = throwAt;
      }
    }
    return throwAt - 2;
  }

  private int throwInTransactions(BiFunction<ThrowingClient, SpannerTransaction, Mono<Long>> body)
      throws Exception {
    return throwAtEveryCall(
        client -> SpannerTransactions.readWrite(client.client(), tx -> body.apply(client, tx)));
  }

  @Test
  void aTransactionEndsWhateverCallThrows() throws Exception {
    assertThat(throwInTransactions(ThrownErrorsTest::everyStatement)).isGreaterThan(15);
  }

  @Test
  void aTransactionThatIsBegunAgainEndsWhateverCallThrows() throws Exception {
    server.refuses(Statement.of("SELECT nothing"), io.grpc.Status.INVALID_ARGUMENT);
    assertThat(throwInTransactions(ThrownErrorsTest::recovering)).isGreaterThan(12);
  }

  @Test
  void valuesInATransactionEndWhateverCallThrows() throws Exception {
    assertThat(
            throwAtEveryCall(
                client -> {
                  TransactionalSequence<SpannerTransaction> orders =
                      SpannerSequenceStore.create(client.client()).transactional("orders");
                  return SpannerTransactions.readWrite(
                      client.client(),
                      tx ->
                          orders
                              .next(tx)
                              .doOnNext(value -> client.callOut("the use of a value"))
                              .then(orders.next(tx, 2)));
                }))
        .isGreaterThan(6);
  }
}
