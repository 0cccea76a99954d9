package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.StatusCode;
import com.google.api.gax.rpc.UnaryCallSettings;
import com.google.cloud.grpc.GcpManagedChannelOptions.GcpResiliencyOptions;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.v1.stub.SpannerStubSettings;
import java.time.Duration;
import java.util.List;
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

  /** Each try is limited, so that a try that nobody answers is followed by another one. */
  @Test
  void theSessionThatTheClientSharesIsRequestedUntilSpannerAnswers() {
    SpannerOptions.Builder options = SequenceClientSettings.applyTo(options());
    UnaryCallSettings.Builder<?, ?> session =
        options.getSpannerStubSettingsBuilder().createSessionSettings();
    RetrySettings retry = session.getRetrySettings();
    assertThat(retry.getTotalTimeoutDuration()).isGreaterThanOrEqualTo(Duration.ofDays(365));
    assertThat(retry.getInitialRpcTimeoutDuration()).isEqualTo(Duration.ofSeconds(5));
    assertThat(retry.getMaxRpcTimeoutDuration()).isEqualTo(Duration.ofSeconds(5));
    assertThat(session.getRetryableCodes())
        .containsExactlyInAnyOrder(StatusCode.Code.UNAVAILABLE, StatusCode.Code.DEADLINE_EXCEEDED);
  }

  /** The client's own retries would hide from the generator that Spanner is unavailable. */
  @Test
  void otherSessionsAndBeginsAreRequestedOnce() {
    SpannerOptions.Builder options = SequenceClientSettings.applyTo(options());
    SpannerStubSettings.Builder requests = options.getSpannerStubSettingsBuilder();
    for (UnaryCallSettings.Builder<?, ?> once :
        List.of(requests.batchCreateSessionsSettings(), requests.beginTransactionSettings())) {
      assertThat(once.getRetryableCodes()).isEmpty();
      assertThat(once.getRetrySettings().getTotalTimeoutDuration())
          .isEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void aConnectionThatLeavesOneRequestUnansweredIsReplaced() {
    SpannerOptions options =
        SequenceClientSettings.applyTo(options(), Duration.ofMillis(1_700)).build();
    assertThat(options.isGrpcGcpExtensionEnabled()).isTrue();
    GcpResiliencyOptions resilience = options.getGrpcGcpOptions().getResiliencyOptions();
    assertThat(resilience.isUnresponsiveDetectionEnabled()).isTrue();
    assertThat(resilience.getUnresponsiveDetectionMs()).isEqualTo(1_700);
    assertThat(resilience.getUnresponsiveDetectionDroppedCount()).isOne();
  }

  @Test
  void thatSpannerIsUnavailableReachesTheGenerator() {
    SpannerOptions options = SequenceClientSettings.applyTo(options()).build();
    assertThat(options.getInterceptorProvider().getInterceptors())
        .hasAtLeastOneElementOfType(UnavailableInterceptor.class);
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
