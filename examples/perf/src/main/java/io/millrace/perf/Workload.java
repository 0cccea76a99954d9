package io.millrace.perf;

import java.time.Duration;

/**
 * What to run: clients that take a value and then spend the application's time, again and again.
 *
 * @param mode how values are taken
 * @param iterations how many values to take, over all clients
 * @param clients how many clients at a time
 * @param perTransaction how many values a transaction takes, in mode {@link Mode#SYNC}
 * @param batchSize values a block, in the modes that have blocks
 * @param watermark values left at which the next block is reserved, in the modes that prefetch
 * @param appLatency what the application does with a value takes this long
 * @param timeLimit when to stop, with or without all iterations
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

  /** How many values a client takes at a time. */
  int perTurn() {
    return mode == Mode.SYNC ? perTransaction : 1;
  }

  /** The mode with its settings, as the guide writes them. */
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
