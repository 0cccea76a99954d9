package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerExceptionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LostAnswerExceptionTest {

  private static boolean isLost(ErrorCode code, @Nullable Throwable cause) {
    return LostAnswerException.isLost(
        SpannerExceptionFactory.newSpannerException(code, "answer", cause));
  }

  @Test
  void onlyTheClientsOwnFailureWhileItSetsAStreamUpHidesAnAnswer() {
    assertThat(isLost(ErrorCode.UNKNOWN, new IllegalStateException("stream ended"))).isTrue();
    assertThat(isLost(ErrorCode.UNKNOWN, new RuntimeException("other"))).isFalse();
    assertThat(isLost(ErrorCode.UNKNOWN, null)).isFalse();
    assertThat(isLost(ErrorCode.ABORTED, new IllegalStateException("stream ended"))).isFalse();
    assertThat(LostAnswerException.isLost(new IllegalStateException("stream ended"))).isFalse();
  }
}
