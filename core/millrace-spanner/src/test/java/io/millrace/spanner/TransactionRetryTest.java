package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.TransactionRetriesExhaustedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class TransactionRetryTest {

  private final ScriptedClient script = new ScriptedClient();
  private final AtomicInteger runs = new AtomicInteger();

  private Mono<Integer> transaction(SpannerTransactionOptions options) {
    return SpannerTransactions.readWrite(
        script.client(), options, tx -> Mono.fromCallable(runs::incrementAndGet));
  }

  private Supplier<Mono<Integer>> withDefaults() {
    return () -> transaction(SpannerTransactionOptions.defaults());
  }

  @Test
  void aRetryIsBegunFromTheAbortSoThatItKeepsItsPriority() {
    AbortedException first = ScriptedClient.abort(0);
    AbortedException second = ScriptedClient.abort(0);
    script.failCommitWith(first);
    script.failCommitWith(second);
    StepVerifier.withVirtualTime(withDefaults())
        .thenAwait(Duration.ofSeconds(1))
        .expectNext(3)
        .verifyComplete();
    assertThat(script.begunFrom).containsExactly(null, first, second);
    assertThat(script.closed).isEqualTo(3);
  }

  @Test
  void aRetryWaitsForAsLongAsTheServerAsks() {
    script.failCommitWith(ScriptedClient.abort(3_000));
    StepVerifier.withVirtualTime(withDefaults())
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(3_000))
        .thenAwait(Duration.ofMillis(20))
        .expectNext(2)
        .verifyComplete();
  }

  @Test
  void theAttemptsAreLimitedAndTheErrorSaysSo() {
    List<AbortedException> aborts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      AbortedException abort = ScriptedClient.abort(100);
      aborts.add(abort);
      script.failCommitWith(abort);
    }
    SpannerTransactionOptions options = SpannerTransactionOptions.defaults().maxAttempts(3);
    StepVerifier.withVirtualTime(() -> transaction(options))
        .thenAwait(Duration.ofSeconds(2))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> {
                          assertThat(exhausted.attempts()).isEqualTo(3);
                          assertThat(exhausted.elapsed())
                              .isBetween(Duration.ofMillis(200), Duration.ofSeconds(1));
                        })
                    .hasCause(aborts.get(2))
                    .hasMessageContaining("limits are 3 attempts"))
        .verify();
    assertThat(script.closed).isEqualTo(3);
  }

  @Test
  void noRetryStartsAfterTheTimeLimit() {
    script.failCommitWith(ScriptedClient.abort(400));
    script.failCommitWith(ScriptedClient.abort(400));
    script.failCommitWith(ScriptedClient.abort(400));
    SpannerTransactionOptions options =
        SpannerTransactionOptions.defaults().maxRetryTime(Duration.ofSeconds(1));
    StepVerifier.withVirtualTime(() -> transaction(options))
        .thenAwait(Duration.ofSeconds(5))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> assertThat(exhausted.attempts()).isEqualTo(3)))
        .verify();
  }

  @Test
  void aSubscriberThatLeavesDuringTheWaitEndsTheRetries() {
    script.failCommitWith(ScriptedClient.abort(1_000));
    StepVerifier.withVirtualTime(withDefaults())
        .expectSubscription()
        .thenAwait(Duration.ofMillis(500))
        .thenCancel()
        .verify();
    assertThat(runs).hasValue(1);
    assertThat(script.closed).isEqualTo(1);
  }

  @Test
  void anAbortThatTheBodyBringsInFromElsewhereIsAnErrorOfTheBody() {
    AbortedException foreign = ScriptedClient.abort(0);
    StepVerifier.create(SpannerTransactions.readWrite(script.client(), tx -> Mono.error(foreign)))
        .expectErrorSatisfies(e -> assertThat(e).isSameAs(foreign))
        .verify();
    assertThat(script.commits).isZero();
  }

  @Test
  void aDefiniteRefusalComesAsItIsAndAnythingElseIsUnknown() {
    for (ErrorCode code : ErrorCode.values()) {
      SpannerException answer = SpannerExceptionFactory.newSpannerException(code, "scripted");
      Throwable classified = CommitFailures.classify(answer);
      switch (code) {
        case ABORTED:
          assertThat(classified).isInstanceOf(AttemptAborted.class);
          break;
        case UNKNOWN:
        case INTERNAL:
        case UNAVAILABLE:
        case DEADLINE_EXCEEDED:
        case CANCELLED:
        case RESOURCE_EXHAUSTED:
        case DATA_LOSS:
          assertThat(classified).isInstanceOf(CommitOutcomeUnknownException.class);
          break;
        default:
          assertThat(classified).isSameAs(answer);
      }
    }
    assertThat(CommitFailures.classify(new IllegalStateException("not Spanner's")))
        .isInstanceOf(CommitOutcomeUnknownException.class);
  }
}
