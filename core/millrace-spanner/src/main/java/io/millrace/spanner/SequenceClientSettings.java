package io.millrace.spanner;

import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.grpc.GcpManagedChannelOptions;
import com.google.cloud.grpc.GcpManagedChannelOptions.GcpResiliencyOptions;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import com.google.cloud.spanner.v1.stub.SpannerStubSettings;
import java.time.Duration;
import java.util.Set;

/**
 * Settings for a Spanner client that is used only for sequences or insert pipelines. A reservation
 * then fails soon if the network or Spanner does not answer, its error names the reason, and the
 * next reservation uses a new connection.
 *
 * <pre>{@code
 * Spanner spanner =
 *     SequenceClientSettings.applyTo(SpannerOptions.newBuilder().setProjectId("p"))
 *         .build()
 *         .getService();
 * SequenceStore store =
 *     SpannerSequenceStore.create(spanner.getDatabaseClient(DatabaseId.of("p", "i", "d")));
 * }</pre>
 *
 * <p>By default, the client retries {@code UNAVAILABLE} without limit, which hides the reason, and
 * waits for the answer on a silent connection until a keep-alive ping fails, which takes 140
 * seconds. With these settings:
 *
 * <ul>
 *   <li>each request of a reservation ends after the request timeout, and returns its session;
 *   <li>the client replaces a connection on which a request was not answered in that time;
 *   <li>{@code UNAVAILABLE} reaches the generator, which retries it with its {@code backoff}; for a
 *       read it arrives as {@code UNKNOWN: UNAVAILABLE}, which the client does not retry;
 *   <li>the request for the multiplexed session, which the client sends only once, when it is
 *       built, is retried until Spanner answers. If it failed, every request on that session would
 *       fail until the client is closed: all reads outside a transaction and, by default, all
 *       transactions. Meanwhile, requests wait for it, each on a thread of {@code
 *       Schedulers.boundedElastic()};
 *   <li>there is one channel, which carries 100 requests at a time, because each channel has to
 *       detect a dead connection separately.
 * </ul>
 *
 * <p>The timeout applies to reads, queries, commits and rollbacks, and reads and queries are not
 * resumed when their connection breaks: use a separate client for the application's queries.
 */
public final class SequenceClientSettings {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  /** The longest timeout that {@link GcpResiliencyOptions} can hold, in milliseconds. */
  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  private static final Duration FOREVER = Duration.ofDays(365);

  private SequenceClientSettings() {}

  /**
   * Applies the settings with a request timeout of 5 seconds, half of a generator's default {@code
   * reservationTimeout}.
   *
   * @param options the options of a client, changed by this call
   * @return the same options
   */
  public static SpannerOptions.Builder applyTo(SpannerOptions.Builder options) {
    return applyTo(options, REQUEST_TIMEOUT);
  }

  /**
   * Applies the settings. They replace the number of channels, the interceptors, the options of the
   * gRPC-GCP extension, and the retry settings of a reservation's requests; to change any of these,
   * do so afterwards.
   *
   * @param options the options of a client, changed by this call
   * @param requestTimeout the time limit of a request, including waits for locks: 1 ms to 24 days,
   *     and less than the generators' {@code reservationTimeout}, or the error does not name the
   *     reason. A connection without an answer is replaced after this time
   * @return the same options
   * @throws IllegalArgumentException if the timeout is out of range
   */
  public static SpannerOptions.Builder applyTo(
      SpannerOptions.Builder options, Duration requestTimeout) {
    if (requestTimeout.toMillis() < 1 || requestTimeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "requestTimeout must be 1 ms to 24 days, was " + requestTimeout);
    }
    limitRequests(options.getSpannerStubSettingsBuilder(), requestTimeout);
    return options
        .setInterceptorProvider(
            SpannerInterceptorProvider.createDefault().with(new UnavailableInterceptor()))
        .setNumChannels(1)
        .enableGrpcGcpExtension(
            GcpManagedChannelOptions.newBuilder()
                .withResiliencyOptions(
                    GcpResiliencyOptions.newBuilder()
                        .withUnresponsiveConnectionDetection((int) requestTimeout.toMillis(), 1)
                        .build())
                .build());
  }

  /** A commit and a rollback may be sent again without harm, within the timeout. */
  private static void limitRequests(SpannerStubSettings.Builder requests, Duration timeout) {
    RetrySettings limits =
        RetrySettings.newBuilder()
            .setInitialRpcTimeoutDuration(timeout)
            .setMaxRpcTimeoutDuration(timeout)
            .setTotalTimeoutDuration(timeout)
            .setInitialRetryDelayDuration(Duration.ofMillis(100))
            .setRetryDelayMultiplier(1.5)
            .setMaxRetryDelayDuration(Duration.ofSeconds(1))
            .build();
    // The client creates the session that it shares once, when it is built, and then never again.
    requests
        .createSessionSettings()
        .setRetrySettings(limits.toBuilder().setTotalTimeoutDuration(FOREVER).build())
        .setRetryableCodes(StatusCode.Code.UNAVAILABLE, StatusCode.Code.DEADLINE_EXCEEDED);
    requests.batchCreateSessionsSettings().setRetrySettings(limits).setRetryableCodes(Set.of());
    requests.beginTransactionSettings().setRetrySettings(limits).setRetryableCodes(Set.of());
    requests.streamingReadSettings().setRetrySettings(limits);
    requests.executeStreamingSqlSettings().setRetrySettings(limits);
    requests.commitSettings().setRetrySettings(limits);
    requests.rollbackSettings().setRetrySettings(limits);
  }
}
