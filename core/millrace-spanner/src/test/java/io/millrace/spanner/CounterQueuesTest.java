package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.TransactionContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

@Timeout(60)
class CounterQueuesTest {

  private static final Set<String> COUNTER = Set.of("invoices");

  private final CounterQueues queues = new CounterQueues(Duration.ofHours(1));
  private final List<String> order = new ArrayList<>();

  /** One transaction, with its first attempt. */
  private final class Transaction {

    final String name;
    final TransactionScope scope = new TransactionScope();
    final StatementQueue statements = new StatementQueue(false);

    Transaction(String name) {
      this.name = name;
    }

    AttemptTransaction attempt() {
      TransactionContext context =
          Proxies.of(
              TransactionContext.class,
              (proxy, method, arguments) -> {
                throw new AssertionError(method);
              });
      return new AttemptTransaction(context, statements, scope);
    }

    Disposable wantsTheCounter() {
      return attempt().turn(queues, COUNTER).subscribe(v -> {}, e -> {}, () -> order.add(name));
    }
  }

  private final Transaction first = new Transaction("first");
  private final Transaction second = new Transaction("second");
  private final Transaction third = new Transaction("third");

  @Test
  void transactionsHaveTheirTurnsInTheOrderOfArrival() {
    first.wantsTheCounter();
    second.wantsTheCounter();
    third.wantsTheCounter();
    assertThat(order).containsExactly("first");
    first.scope.end();
    assertThat(order).containsExactly("first", "second");
    second.scope.end();
    assertThat(order).containsExactly("first", "second", "third");
  }

  @Test
  void aRetryKeepsItsTurn() {
    first.wantsTheCounter();
    second.wantsTheCounter();
    first.wantsTheCounter();
    assertThat(order).containsExactly("first", "first");
    first.scope.end();
    assertThat(order).containsExactly("first", "first", "second");
  }

  @Test
  void aTransactionThatIsCancelledWhileItWaitsLetsTheNextOnePass() {
    first.wantsTheCounter();
    Disposable waiting = second.wantsTheCounter();
    third.wantsTheCounter();
    waiting.dispose();
    second.scope.end();
    first.scope.end();
    assertThat(order).containsExactly("first", "third");
  }

  @Test
  void aCancelledCallKeepsTheTurnOfItsTransaction() {
    first.wantsTheCounter();
    second.wantsTheCounter().dispose();
    second.wantsTheCounter();
    first.scope.end();
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void aTransactionThatHoldsLocksDoesNotWaitForATurn() {
    first.wantsTheCounter();
    second.wantsTheCounter();
    assertThat(order).containsExactly("first");
    second.statements.read(ClientRequest.of(() -> ApiFutures.immediateFuture("row"))).subscribe();
    assertThat(order).as("it began while it waited").containsExactly("first", "second");
    second.wantsTheCounter();
    assertThat(order).containsExactly("first", "second", "second");
    third.wantsTheCounter();
    second.scope.end();
    assertThat(order).as("the first still has its turn").doesNotContain("third");
  }

  @Test
  void aTransactionThatDoesNotEndLosesItsTurnAfterItsLimit() throws InterruptedException {
    CounterQueues impatient = new CounterQueues(Duration.ofMillis(20));
    CountDownLatch turn = new CountDownLatch(1);
    first.attempt().turn(impatient, COUNTER).subscribe();
    second.attempt().turn(impatient, COUNTER).subscribe(v -> {}, e -> {}, turn::countDown);
    assertThat(turn.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLongQueueOfTransactionsThatEndInTheirTurnNeedsNoDeepStack() {
    first.wantsTheCounter();
    AtomicInteger turns = new AtomicInteger();
    for (int i = 0; i < 50_000; i++) {
      Transaction brief = new Transaction("brief");
      brief
          .attempt()
          .turn(queues, COUNTER)
          .subscribe(
              v -> {},
              e -> {},
              () -> {
                turns.incrementAndGet();
                brief.scope.end();
              });
    }
    third.wantsTheCounter();
    first.scope.end();
    assertThat(turns).hasValue(50_000);
    assertThat(order).containsExactly("first", "third");
  }

  private Disposable wants(Transaction transaction, String... counters) {
    return transaction
        .attempt()
        .turn(queues, List.of(counters))
        .subscribe(v -> {}, e -> {}, () -> order.add(transaction.name));
  }

  @Test
  void transactionsOfDifferentCountersDoNotWaitForEachOther() {
    wants(first, "a");
    wants(second, "b");
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void aTransactionOfSeveralCountersWaitsForItsTurnAtAllOfThem() {
    wants(first, "a");
    wants(second, "b");
    wants(third, "a", "b");
    first.scope.end();
    assertThat(order).containsExactly("first", "second");
    second.scope.end();
    assertThat(order).containsExactly("first", "second", "third");
  }

  @Test
  void transactionsThatNameCountersInOppositeOrdersDoNotWaitForEachOther() {
    wants(first, "b");
    wants(second, "a", "b");
    wants(third, "b", "a");
    first.scope.end();
    assertThat(order).containsExactly("first", "second");
    second.scope.end();
    assertThat(order).containsExactly("first", "second", "third");
  }

  @Test
  void aTransactionDoesNotWaitForItsOwnTurnAtACounter() {
    wants(first, "a");
    wants(first, "a", "b");
    assertThat(order).containsExactly("first", "first");
  }

  @Test
  void thereIsAQueueOnlyForTheCountersThatATransactionHasOrWaitsFor() {
    for (int i = 0; i < 100_000; i++) {
      Transaction brief = new Transaction("brief");
      wants(brief, "counter " + i, "shared by two " + i / 2);
      assertThat(queues.size()).isEqualTo(2);
      brief.scope.end();
    }
    assertThat(queues.size()).isZero();

    wants(first, "a");
    Disposable waiting = wants(second, "a", "b");
    waiting.dispose();
    second.scope.end();
    assertThat(queues.size()).as("the first still has its turn").isEqualTo(2);
    first.scope.end();
    assertThat(queues.size()).isZero();
  }

  private final ScriptedClient script = new ScriptedClient();

  private Mono<Integer> transaction(Mono<Integer> body) {
    return SpannerTransactions.readWrite(
        script.client(), tx -> ((AttemptTransaction) tx).turn(queues, COUNTER).then(body));
  }

  @Test
  void theTurnEndsWithTheCommit() {
    StepVerifier.create(transaction(Mono.just(1))).expectNext(1).verifyComplete();
    second.wantsTheCounter();
    assertThat(order).containsExactly("second");
  }

  @Test
  void theTurnEndsAfterTheResultIsDelivered() {
    List<String> atDelivery = new ArrayList<>();
    transaction(Mono.fromRunnable(second::wantsTheCounter).thenReturn(1))
        .subscribe(result -> atDelivery.addAll(order));
    assertThat(atDelivery).isEmpty();
    assertThat(order).containsExactly("second");
  }

  @Test
  void theTurnEndsWithAnErrorOfTheBody() {
    StepVerifier.create(transaction(Mono.error(new IllegalStateException("no"))))
        .expectErrorMessage("no")
        .verify();
    second.wantsTheCounter();
    assertThat(order).containsExactly("second");
  }

  @Test
  void theTurnEndsAfterACancelHasRolledBack() {
    Disposable running = transaction(Mono.never()).subscribe();
    second
        .attempt()
        .turn(queues, COUNTER)
        .subscribe(v -> {}, e -> {}, () -> order.add("closed " + script.closed));
    assertThat(order).isEmpty();
    running.dispose();
    assertThat(order).containsExactly("closed 1");
  }

  @Test
  void theTurnIsKeptUntilTheRetryHasCommitted() {
    script.failCommitWith(ScriptedClient.abort(1_000));
    Sinks.One<Integer> secondAttempt = Sinks.one();
    AtomicInteger attempts = new AtomicInteger();
    StepVerifier.withVirtualTime(
            () ->
                transaction(
                    Mono.defer(
                        () ->
                            attempts.incrementAndGet() == 1
                                ? Mono.just(1)
                                : secondAttempt.asMono())))
        .then(second::wantsTheCounter)
        .thenAwait(Duration.ofSeconds(2))
        .then(() -> assertThat(attempts).hasValue(2))
        .then(() -> assertThat(order).isEmpty())
        .then(() -> secondAttempt.tryEmitValue(2))
        .expectNext(2)
        .verifyComplete();
    assertThat(order).containsExactly("second");
  }

  @Test
  void anAttemptThatBeginsAfterTheEndTakesNoTurnThatNeverEnds() {
    first.attempt().turn(queues, COUNTER).subscribe();
    first.scope.end();
    first.wantsTheCounter();
    second.wantsTheCounter();
    assertThat(order).endsWith("second");
  }

  @Test
  void theTurnEndsWhenATransactionIsCancelledBetweenTwoAttempts() {
    script.failCommitWith(ScriptedClient.abort(1_000));
    StepVerifier.withVirtualTime(() -> transaction(Mono.just(1)))
        .then(second::wantsTheCounter)
        .thenAwait(Duration.ofMillis(500))
        .then(() -> assertThat(order).isEmpty())
        .thenCancel()
        .verify();
    assertThat(order).containsExactly("second");
  }
}
