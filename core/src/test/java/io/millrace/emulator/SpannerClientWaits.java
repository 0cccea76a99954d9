package io.millrace.emulator;

import reactor.blockhound.BlockHound;

/** Where Spanner's client may wait, in tests that look for threads that are blocked. */
public final class SpannerClientWaits {

  private static final String HEADERS = "com.google.cloud.spanner.spi.v1.HeaderInterceptor";

  private SpannerClientWaits() {}

  /**
   * Allows the waits for the texts that the client caches: a thread waits there while another one
   * puts the same text together, once.
   *
   * @param watch to be told of them
   * @return the same
   */
  public static BlockHound.Builder allowForCachedTexts(BlockHound.Builder watch) {
    return watch
        .allowBlockingCallsInside(HEADERS, "extractDatabaseName")
        .allowBlockingCallsInside(HEADERS, "extractKey")
        .allowBlockingCallsInside(HEADERS, "getTagContext")
        .allowBlockingCallsInside(HEADERS, "getMetricAttributes")
        .allowBlockingCallsInside(HEADERS, "getBuiltInMetricAttributes");
  }
}
