package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.v1.stub.SpannerStubSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceClientSettingsTest {

  private static SpannerOptions.Builder options() {
    return SpannerOptions.newBuilder().setProjectId("p").setEmulatorHost("localhost:1");
  }

  private static void assertRequestsEndAfter(Duration timeout, SpannerOptions.Builder options) {
    SpannerStubSettings.Builder requests = options.getSpannerStubSettingsBuilder();
    assertThat(requests.commitSettings().getRetrySettings().getTotalTimeoutDuration())
        .isEqualTo(timeout);
    assertThat(requests.rollbackSettings().getRetrySettings().getTotalTimeoutDuration())
        .isEqualTo(timeout);
    assertThat(requests.streamingReadSettings().getRetrySettings().getTotalTimeoutDuration())
        .isEqualTo(timeout);
    assertThat(requests.executeStreamingSqlSettings().getRetrySettings().getTotalTimeoutDuration())
        .isEqualTo(timeout);
  }

  @Test
  void theOptionsThatAreGivenAreChangedAndReturned() {
    SpannerOptions.Builder options = options();
    assertThat(SequenceClientSettings.applyTo(options)).isSameAs(options);
    assertRequestsEndAfter(Duration.ofSeconds(5), options);
    assertThat(options.build().getNumChannels()).isEqualTo(1);
    assertThat(SequenceClientSettings.applyTo(options, Duration.ofSeconds(2))).isSameAs(options);
    assertRequestsEndAfter(Duration.ofSeconds(2), options);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE})
  void theLimitsOfTheTimeoutAreLegal(long millis) {
    SpannerOptions.Builder options = options();
    SequenceClientSettings.applyTo(options, Duration.ofMillis(millis));
    assertRequestsEndAfter(Duration.ofMillis(millis), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "PT2147483.648S", "PT1000000H"})
  void aTimeoutOutOfRangeIsRefused(Duration timeout) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceClientSettings.applyTo(options(), timeout))
        .withMessage("requestTimeout must be 1 ms to 24 days, was " + timeout);
  }
}
