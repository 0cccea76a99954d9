package io.millrace.blocking;

import reactor.blockhound.BlockHound;
import reactor.core.scheduler.Schedulers;

/**
 * The places where Spanner's client, and Netty beneath the drivers, may wait in tests that look for
 * blocked threads.
 */
public final class SpannerClientWaits {

  private static final String HEADERS = "com.google.cloud.spanner.spi.v1.HeaderInterceptor";

  private static final String QUEUE = "java.util.concurrent.LinkedBlockingDeque";

  private SpannerClientWaits() {}

  /**
   * Returns a BlockHound builder that allows waits for the texts that the client caches: a thread
   * waits there while another one creates the same text, once.
   *
   * @return a builder to complete and install
   */
  public static BlockHound.Builder watch() {
    Schedulers
        .boundedElastic(); // its first users may race to create it and then wait for each other
    return BlockHound.builder()
        .allowBlockingCallsInside(
            "com.google.cloud.spanner.spi.v1.SpannerMetadataProvider", "newExtraHeaders")
        .allowBlockingCallsInside(HEADERS, "extractDatabaseName")
        .allowBlockingCallsInside(HEADERS, "extractKey")
        .allowBlockingCallsInside(HEADERS, "getTagContext")
        .allowBlockingCallsInside(HEADERS, "getMetricAttributes")
        .allowBlockingCallsInside(HEADERS, "getBuiltInMetricAttributes");
  }

  /**
   * Returns a builder as {@link #watch()} does, which also allows the waits of R2DBC drivers:
   *
   * <ul>
   *   <li>the lock of an in-memory queue, held while it is read;
   *   <li>the callback of a schema change, which a thread may begin just before another one has
   *       stored the response;
   *   <li>the lock of Netty's buffer allocator, while another thread allocates memory.
   * </ul>
   *
   * @return a builder to complete and install
   */
  public static BlockHound.Builder watchDrivers() {
    return watch()
        .allowBlockingCallsInside(QUEUE, "size")
        .allowBlockingCallsInside(QUEUE, "pollFirst")
        .allowBlockingCallsInside("com.google.api.gax.longrunning.OperationFutureImpl", "get")
        .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
  }
}
