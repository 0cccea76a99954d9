package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Cancels and failures at each step of a transaction whose requests are answered at once. */
class TransactionAttemptTest {

  private static final SpannerException REFUSED =
      SpannerExceptionFactory.newSpannerException(ErrorCode.PERMISSION_DENIED, "not you");

  private static final int RACES = Integer.getInteger("rounds", 2_000);

  private final ScriptedClient script = new ScriptedClient();
  private final AtomicInteger bodies = new AtomicInteger();
  private final BaseSubscriber<Integer> subscriber = new BaseSubscriber<>() {};

  private Mono<Integer> transaction(Function<SpannerTransaction, Mono<?>> body) {
    return transaction(script, body);
  }

  private Mono<Integer> transaction(ScriptedClient on, Function<SpannerTransaction, Mono<?>> body) {
    return SpannerTransactions.readWrite(
        on.client(),
        tx -> Mono.defer(() -> body.apply(tx)).then(Mono.fromCallable(bodies::incrementAndGet)));
  }

  private Mono<Integer> transaction() {
    return transaction(tx -> Mono.empty());
  }

  /** The scripted client refuses every statement. Here the body goes on regardless. */
  private Mono<Integer> recovering() {
    return recovering(script);
  }

  private Mono<Integer> recovering(ScriptedClient on) {
    return transaction(
        on, tx -> tx.executeUpdate(Statement.of("DELETE")).onErrorResume(refused -> Mono.empty()));
  }

  private void isCancelled(Mono<Integer> transaction) {
    transaction.subscribe(subscriber);
    assertThat(subscriber.isDisposed()).isTrue();
  }

  @Test
  void aBeginThatIsRefusedIsTheErrorAndReturnsTheSession() {
    script.failBeginWith(REFUSED);
    StepVerifier.create(transaction())
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(REFUSED));
    assertThat(script.closed).isOne();
    assertThat(bodies).hasValue(0);
  }

  @Test
  void aBeginThatIsAbortedIsRetried() {
    AbortedException abort = ScriptedClient.abort(0);
    script.failBeginWith(abort);
    StepVerifier.withVirtualTime(this::transaction)
        .thenAwait(Duration.ofSeconds(1))
        .expectNext(1)
        .verifyComplete();
    assertThat(script.begunFrom).containsExactly(null, abort);
    assertThat(script.closed).isEqualTo(2);
  }

  @Test
  void beginsAgainInItsSessionIfNoStatementBeganIt() {
    script.failCommitWith(ScriptedClient.abort(0));
    StepVerifier.create(recovering()).expectNext(2).verifyComplete();
    assertThat(script.begunFrom).hasSize(1);
    assertThat(script.begunAgain).isOne();
    assertThat(script.commits).isEqualTo(2);
    assertThat(script.closed).isOne();
  }

  @Test
  void aTransactionThatIsAbortedAfterItWasBegunAgainIsRetriedInAnother() {
    script.failCommitWith(ScriptedClient.abort(0));
    AbortedException second = ScriptedClient.abort(0);
    script.failCommitWith(second);
    StepVerifier.withVirtualTime(this::recovering)
        .thenAwait(Duration.ofSeconds(1))
        .expectNext(3)
        .verifyComplete();
    assertThat(script.begunFrom).containsExactly(null, second);
    assertThat(script.begunAgain).isOne();
    assertThat(script.closed).isEqualTo(2);
  }

  @Test
  void aCancelBeforeTheTransactionIsBegunAgainReturnsTheSession() {
    script.failCommitWith(ScriptedClient.abort(0));
    script.atCommit = subscriber::cancel;
    isCancelled(recovering());
    assertThat(script.begunAgain).isZero();
    assertThat(script.closed).isOne();
  }

  @Test
  void aCancelWhileTheTransactionIsBegunAgainReturnsTheSession() {
    script.failCommitWith(ScriptedClient.abort(0));
    script.atBegin =
        () -> {
          if (script.begunAgain == 1) {
            subscriber.cancel();
          }
        };
    isCancelled(recovering());
    assertThat(script.begunAgain).isOne();
    assertThat(script.commits).isOne();
    assertThat(script.closed).isOne();
  }

  @Test
  void anErrorOfTheBodyWaitsForTheRollbackButNotForever() {
    SettableApiFuture<Void> rollback = SettableApiFuture.create();
    script.closing = rollback;
    Mono<Integer> failing = transaction(tx -> Mono.error(REFUSED));
    StepVerifier.withVirtualTime(() -> failing)
        .expectSubscription()
        .expectNoEvent(Duration.ofSeconds(9))
        .then(() -> rollback.set(null))
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(REFUSED));

    script.closing = SettableApiFuture.create();
    StepVerifier.withVirtualTime(() -> failing)
        .expectSubscription()
        .expectNoEvent(Duration.ofSeconds(9))
        .thenAwait(Duration.ofSeconds(1))
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(REFUSED));
    assertThat(script.commits).isZero();
  }

  @Test
  void aRollbackThatFailsLeavesTheErrorOfTheBody() {
    script.closing = ApiFutures.immediateFailedFuture(new IllegalStateException("no rollback"));
    StepVerifier.create(transaction(tx -> Mono.error(REFUSED)))
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(REFUSED));
    assertThat(script.closed).isOne();
  }

  /** Its body did not wait for the statement, so the commit was sent before the answer. */
  @Test
  void runsNoTransactionAgainThatMayBeCommitted() {
    SettableApiFuture<Long> first = SettableApiFuture.create();
    SettableApiFuture<Long> late = SettableApiFuture.create();
    script.updates.addAll(List.of(first, late));
    script.atCommit = () -> late.setException(ScriptedClient.abort(0));
    script.failCommitWith(
        SpannerExceptionFactory.newSpannerException(ErrorCode.UNAVAILABLE, "the answer is lost"));
    StepVerifier.withVirtualTime(
            () ->
                transaction(
                    tx ->
                        tx.executeUpdate(Statement.of("UPDATE"))
                            .doOnNext(
                                one ->
                                    tx.executeUpdate(Statement.of("DELETE"))
                                        .subscribe(any -> {}, aborted -> {}))))
        .then(() -> first.set(1L))
        .thenAwait(Duration.ofSeconds(1))
        .verifyError(CommitOutcomeUnknownException.class);
    assertThat(late).isDone();
    assertThat(script.commits).isOne();
    assertThat(bodies).hasValue(1);
  }

  @Test
  void aRefusedCommitIsTheErrorAndReturnsTheSession() {
    script.failCommitWith(REFUSED);
    StepVerifier.create(transaction())
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(REFUSED));
    assertThat(script.closed).isOne();
    assertThat(script.begunAgain).isZero();
  }
}
