package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ReadRetryTest {

  private final SpannerException refusal =
      SpannerExceptionFactory.newSpannerException(ErrorCode.UNKNOWN, "stream ended");
  private final AtomicInteger asked = new AtomicInteger();

  /** A read whose answer is lost so many times. */
  private Mono<String> lost(int times) {
    return Mono.defer(
            () ->
                asked.incrementAndGet() <= times
                    ? Mono.<String>error(new LostAnswerException(refusal))
                    : Mono.just("row"))
        .retryWhen(ReadRetry.AFTER_LOST_ANSWER);
  }

  @Test
  void aReadWhoseAnswerWasLostIsSentAgain() {
    StepVerifier.create(lost(3)).expectNext("row").verifyComplete();
    assertThat(asked).hasValue(4);
  }

  @Test
  void anAnswerThatStaysLostIsTheClientsException() {
    StepVerifier.create(lost(100)).verifyErrorSatisfies(e -> assertThat(e).isSameAs(refusal));
    assertThat(asked).hasValue(4);
  }

  @Test
  void anotherFailureIsNotAskedFor() {
    Mono<String> refused =
        Mono.<String>defer(
                () -> {
                  asked.incrementAndGet();
                  return Mono.error(refusal);
                })
            .retryWhen(ReadRetry.AFTER_LOST_ANSWER);
    StepVerifier.create(refused).verifyErrorSatisfies(e -> assertThat(e).isSameAs(refusal));
    assertThat(asked).hasValue(1);
  }
}
