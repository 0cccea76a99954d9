package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpannerTransactionOptionsTest {

  private static SpannerTransactionOptions.Builder builder() {
    return SpannerTransactionOptions.builder();
  }

  @Test
  void theOptionsAreThoseThatWereSet() {
    SpannerTransactionOptions options =
        builder()
            .maxAttempts(1)
            .maxRetryTime(Duration.ofNanos(1))
            .backoff(Duration.ofMillis(3), Duration.ofMillis(3))
            .tag("~".repeat(50))
            .priority(RpcPriority.LOW)
            .clientOptions(Options.commitStats())
            .build();
    for (SpannerTransactionOptions each :
        new SpannerTransactionOptions[] {options, options.toBuilder().build()}) {
      assertThat(each.maxAttempts()).isEqualTo(1);
      assertThat(each.maxRetryTime()).isEqualTo(Duration.ofNanos(1));
      assertThat(each.minBackoff()).isEqualTo(Duration.ofMillis(3));
      assertThat(each.maxBackoff()).isEqualTo(Duration.ofMillis(3));
      assertThat(each.tag()).isEqualTo("~".repeat(50));
      assertThat(each.toClientOptions()).hasSize(3);
    }
    assertThat(options.toBuilder().maxAttempts(7).build().maxAttempts()).isEqualTo(7);
    assertThat(options.maxAttempts()).as("of the options before").isEqualTo(1);
  }

  @Test
  void withoutATagAndAPriorityTheClientHasNoOptions() {
    assertThat(SpannerTransactionOptions.defaults().tag()).isNull();
    assertThat(SpannerTransactionOptions.defaults().toClientOptions()).isEmpty();
    assertThat(SpannerTransactionOptions.defaults().maxBackoff())
        .isGreaterThan(SpannerTransactionOptions.defaults().minBackoff());
  }

  @Test
  void whatIsOutOfRangeIsRefusedWithTheValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().maxAttempts(0))
        .withMessage("maxAttempts must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().maxRetryTime(Duration.ZERO))
        .withMessage("maxRetryTime must be more than zero, was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().backoff(Duration.ofMillis(-1), Duration.ofMillis(1)))
        .withMessageEndingWith("must be more than zero, was PT-0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().backoff(Duration.ofMillis(2), Duration.ofMillis(1)))
        .withMessageEndingWith("was PT0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().tag(""))
        .withMessageContaining("1 to 50 printable ASCII characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().tag("~".repeat(51)))
        .withMessageContaining("1 to 50 printable ASCII characters");
  }
}
