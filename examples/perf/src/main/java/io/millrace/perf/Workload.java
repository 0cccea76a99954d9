package io.millrace.perf;

import java.time.Duration;

/**
 * The workload of a run: clients that repeatedly take a value and spend the application's time.
 *
 * @param mode how values are taken
 * @param iterations the number of values to take, over all clients
 * @param clients the number of concurrent clients
 * @param perTransaction the number of values that a transaction takes, in mode {@link Mode#SYNC}
 * @param batchSize values in a block, in the modes that have blocks
 * @param watermark values left at which the next block is reserved, in the modes that prefetch
 * @param appLatency the application's time with each value
 * @param timeLimit when to stop, even if iterations are left
 */
record Workload(
    Mode mode,
    int iterations,
    int clients,
    int perTransaction,
    long batchSize,
    long watermark,
    Duration appLatency,
    Duration timeLimit) {

  /** The settings of mode {@link Mode#ADAPTIVE}. */
  static final long ADAPTIVE_MIN = 10;

  static final long ADAPTIVE_MAX = 10_000;
  static final Duration ADAPTIVE_TARGET = Duration.ofSeconds(1);

  Workload with(Mode newMode, int newClients) {
    return new Workload(
        newMode,
        iterations,
        newClients,
        perTransaction,
        batchSize,
        watermark,
        appLatency,
        timeLimit);
  }

  Workload with(long newBatchSize, long newWatermark) {
    return new Workload(
        mode,
        iterations,
        clients,
        perTransaction,
        newBatchSize,
        newWatermark,
        appLatency,
        timeLimit);
  }

  /** The number of values that a client takes in a turn. */
  int perTurn() {
    return mode == Mode.SYNC ? perTransaction : 1;
  }

  /** The mode with its settings, in the guide's notation. */
  String label() {
    if (mode == Mode.SYNC && perTransaction > 1) {
      return mode + " " + perTransaction + " a transaction";
    }
    if (mode.hasWatermark()) {
      return mode + " " + batchSize + ", watermark " + watermark;
    }
    if (mode == Mode.ADAPTIVE) {
      return mode + " " + ADAPTIVE_MIN + " to " + ADAPTIVE_MAX;
    }
    return mode.hasBatchSize() ? mode + " " + batchSize : mode.name();
  }
}
