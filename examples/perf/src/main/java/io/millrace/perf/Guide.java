package io.millrace.perf;

import java.util.List;

/**
 * The table of Google's guide "Sequence generation in Spanner": one node of Cloud Spanner, and a
 * client with four virtual CPUs. Its times include the application's 10 ms. ASYNC and BATCH here
 * have the names and guarantees of the guide's generators, but this project's implementation.
 *
 * @param mode how values were taken; blocks of 200, watermark 50
 * @param clients the guide's threads
 * @param valuesPerSecond the guide's rate
 * @param p50 the guide's 50 percentile, in milliseconds
 * @param p90 the guide's 90 percentile, in milliseconds
 * @param p99 the guide's 99 percentile, in milliseconds
 */
record Guide(Mode mode, int clients, double valuesPerSecond, int p50, int p90, int p99) {

  static final long BATCH_SIZE = 200;
  static final long WATERMARK = 50;

  static final List<Guide> TABLE =
      List.of(
          new Guide(Mode.SYNC, 10, 34, 27, 1189, 2703),
          new Guide(Mode.SYNC, 50, 30.6, 1191, 3513, 5982),
          new Guide(Mode.ASYNC, 10, 66.5, 28, 611, 1460),
          new Guide(Mode.ASYNC, 50, 78.1, 29, 1695, 3442),
          new Guide(Mode.BATCH, 10, 494, 18, 20, 38),
          new Guide(Mode.BATCH, 50, 1195, 27, 55, 168),
          new Guide(Mode.ASYNC_BATCH, 10, 512, 18, 20, 30),
          new Guide(Mode.ASYNC_BATCH, 50, 1622, 24, 28, 30));
}
