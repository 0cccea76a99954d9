package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpannerTransactionOptionsTest {

  private static final SpannerTransactionOptions DEFAULTS = SpannerTransactionOptions.defaults();

  @Test
  void theOptionsAreThoseThatWereSet() {
    SpannerTransactionOptions options =
        DEFAULTS
            .maxAttempts(1)
            .maxRetryTime(Duration.ofNanos(1))
            .tag("~".repeat(50))
            .priority(RpcPriority.LOW)
            .clientOptions(Options.commitStats());
    assertThat(options.retry().maxAttempts()).isEqualTo(1);
    assertThat(options.retry().maxRetryTime()).isEqualTo(Duration.ofNanos(1));
    assertThat(options.toClientOptions()).hasSize(3);
    assertThat(options.maxAttempts(7).retry().maxAttempts()).isEqualTo(7);
    assertThat(options.retry().maxAttempts()).as("of the options before").isEqualTo(1);
  }

  @Test
  void withoutATagAndAPriorityTheClientHasNoOptions() {
    assertThat(DEFAULTS.toClientOptions()).isEmpty();
  }

  @Test
  void valuesOutOfRangeAreRefusedAndNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.maxAttempts(0))
        .withMessage("maxAttempts must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.maxRetryTime(Duration.ZERO))
        .withMessage("maxRetryTime must be more than zero, was PT0S");
    for (String tag : new String[] {"", "~".repeat(51), "\u00fc"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DEFAULTS.tag(tag))
          .withMessageContaining("1 to 50 printable ASCII characters");
    }
  }
}
