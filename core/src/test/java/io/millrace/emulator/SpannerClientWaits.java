package io.millrace.emulator;

import reactor.blockhound.BlockHound;

/**
 * Where Spanner's client, and Netty beneath the drivers, may wait, in tests that look for threads
 * that are blocked.
 */
public final class SpannerClientWaits {

  private static final String HEADERS = "com.google.cloud.spanner.spi.v1.HeaderInterceptor";

  private static final String QUEUE = "java.util.concurrent.LinkedBlockingDeque";

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
        .allowBlockingCallsInside(
            "com.google.cloud.spanner.spi.v1.SpannerMetadataProvider", "newExtraHeaders")
        .allowBlockingCallsInside(HEADERS, "extractDatabaseName")
        .allowBlockingCallsInside(HEADERS, "extractKey")
        .allowBlockingCallsInside(HEADERS, "getTagContext")
        .allowBlockingCallsInside(HEADERS, "getMetricAttributes")
        .allowBlockingCallsInside(HEADERS, "getBuiltInMetricAttributes");
  }

  /**
   * Allows the lock of a queue in memory, held while it is looked at.
   *
   * @param watch to be told of it
   * @return the same
   */
  public static BlockHound.Builder allowForQueue(BlockHound.Builder watch) {
    return watch
        .allowBlockingCallsInside(QUEUE, "size")
        .allowBlockingCallsInside(QUEUE, "pollFirst");
  }

  /**
   * Allows the callback of a schema change, which a thread may begin just before another one has
   * put the answer where it looks.
   *
   * @param watch to be told of it
   * @return the same
   */
  public static BlockHound.Builder allowForSchemaChanges(BlockHound.Builder watch) {
    return watch.allowBlockingCallsInside(
        "com.google.api.gax.longrunning.OperationFutureImpl", "get");
  }

  /**
   * Allows the lock of Netty's allocator of buffers, which a thread may wait for while another one
   * takes a piece of memory.
   *
   * @param watch to be told of it
   * @return the same
   */
  public static BlockHound.Builder allowForNettyBuffers(BlockHound.Builder watch) {
    return watch.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
  }
}
