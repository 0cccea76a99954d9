package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.TransactionRetriesExhaustedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Work that lost a conflict is run again, within limits. */
class ConflictRetryTest {

  private static final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final AtomicInteger attempts = new AtomicInteger();

  private Mono<Integer> winsAtAttempt(int attempt) {
    return Mono.fromCallable(
        () -> {
          if (attempts.incrementAndGet() < attempt) {
            throw new Conflict();
          }
          return attempts.get();
        });
  }

  private static ConflictRetry limits(int maxAttempts, Duration maxRetryTime) {
    return new ConflictRetry(
        maxAttempts, maxRetryTime, Duration.ofMillis(10), Duration.ofMillis(100));
  }

  @Test
  void itIsRunAgainAfterAWait() {
    StepVerifier.withVirtualTime(
            () ->
                limits(10, Duration.ofMinutes(1)).run(winsAtAttempt(4), Conflict.class::isInstance))
        .expectSubscription()
        .then(() -> assertThat(attempts).hasValue(1))
        .thenAwait(Duration.ofMillis(10 + 20 + 40))
        .expectNext(4)
        .verifyComplete();
  }

  @Test
  void theAttemptsHaveAnEnd() {
    StepVerifier.withVirtualTime(
            () ->
                limits(3, Duration.ofMinutes(1))
                    .run(winsAtAttempt(100), Conflict.class::isInstance))
        .thenAwait(Duration.ofMinutes(1))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> assertThat(exhausted.attempts()).isEqualTo(3))
                    .hasMessageContaining("limits are 3 attempts")
                    .hasCauseInstanceOf(Conflict.class))
        .verify();
    assertThat(attempts).hasValue(3);
  }

  @Test
  void theTimeHasAnEnd() {
    StepVerifier.withVirtualTime(
            () ->
                limits(Integer.MAX_VALUE, Duration.ofSeconds(2))
                    .run(winsAtAttempt(Integer.MAX_VALUE), Conflict.class::isInstance))
        .thenAwait(Duration.ofSeconds(2))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        TransactionRetriesExhaustedException.class,
                        exhausted ->
                            assertThat(exhausted.elapsed())
                                .isBetween(Duration.ofMillis(1900), Duration.ofSeconds(2))))
        .verify();
    assertThat(attempts).hasValueGreaterThan(20);
  }

  @Test
  void anythingElseIsReportedAtOnce() {
    StepVerifier.create(limits(10, Duration.ofMinutes(1)).run(winsAtAttempt(2), failure -> false))
        .expectError(Conflict.class)
        .verify();
    assertThat(attempts).hasValue(1);
  }

  /** The random wait is always a nanosecond. */
  private Mono<Integer> withServerDelay(Duration delay) {
    ConflictRetry.Conflicts<Conflict> asking =
        new ConflictRetry.Conflicts<>() {
          @Override
          public @Nullable Conflict in(Throwable failure) {
            return failure instanceof Conflict conflict ? conflict : null;
          }

          @Override
          public Duration delayAfter(Conflict conflict) {
            return delay;
          }
        };
    Duration nanosecond = Duration.ofNanos(1);
    return new ConflictRetry(10, Duration.ofSeconds(50), nanosecond, nanosecond)
        .runWithServerDelay(winsAtAttempt(2), asking);
  }

  @Test
  void anAttemptMayBeginAsTheTimeEnds() {
    StepVerifier.withVirtualTime(() -> withServerDelay(Duration.ofSeconds(50).minusNanos(1)))
        .expectSubscription()
        .expectNoEvent(Duration.ofSeconds(50).minusNanos(1))
        .thenAwait(Duration.ofNanos(1))
        .expectNext(2)
        .verifyComplete();
  }

  @Test
  void anAttemptThatWouldBeginLaterIsNotWaitedFor() {
    StepVerifier.withVirtualTime(() -> withServerDelay(Duration.ofSeconds(50)))
        .expectError(TransactionRetriesExhaustedException.class)
        .verify();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void limitsThatCannotBeAreRefused() {
    ConflictRetry limits = ConflictRetry.DEFAULTS;
    assertThatThrownBy(() -> limits.withMaxAttempts(0)).hasMessageContaining("was 0");
    assertThatThrownBy(() -> limits.withMaxRetryTime(Duration.ZERO)).hasMessageContaining("PT0S");
  }
}
