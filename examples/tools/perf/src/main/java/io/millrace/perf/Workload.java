package io.millrace.perf;

import java.time.Duration;

/**
 * The workload of a run: clients that repeatedly take a value and spend the application's time.
 *
 * @param mode how values are taken
 * @param iterations the number of values to take, over all clients
 * @param clients the number of concurrent clients
 * @param perTransaction the number of values that a transaction takes, in mode {@link Mode#SYNC}
 * @param blockSize values in a block, in the modes that have blocks
 * @param watermark values left at which the next block is reserved, in the modes that prefetch
 * @param application what the application does with each value
 * @param appLatency the application's time with each value
 * @param warmUp how long the clients work before the clock starts; zero for a cold start
 * @param timeLimit when to stop, even if iterations are left
 */
record Workload(
    Mode mode,
    int iterations,
    int clients,
    int perTransaction,
    long blockSize,
    long watermark,
    Application.Kind application,
    Duration appLatency,
    Duration warmUp,
    Duration timeLimit) {

  /** The block and the watermark of the guide's tool. */
  static final long GUIDES_BLOCK_SIZE = 200;

  static final long GUIDES_WATERMARK = 50;

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
        blockSize,
        watermark,
        application,
        appLatency,
        warmUp,
        timeLimit);
  }

  Workload with(long newBlockSize, long newWatermark) {
    return new Workload(
        mode,
        iterations,
        clients,
        perTransaction,
        newBlockSize,
        newWatermark,
        application,
        appLatency,
        warmUp,
        timeLimit);
  }

  /** The same, warmed up, with a timer in place of the application's transaction. */
  Workload withTimerOnly(Duration newWarmUp) {
    return new Workload(
        mode,
        iterations,
        clients,
        perTransaction,
        blockSize,
        watermark,
        Application.Kind.TIMER,
        appLatency,
        newWarmUp,
        timeLimit);
  }

  /** The same work in the mode to compare with. */
  Workload comparison() {
    return with(mode.comparison(), clients);
  }

  /** Whether every client holds a session at the same time. */
  boolean holdsSessions() {
    return mode.holdsSessions() || application == Application.Kind.TRANSACTION;
  }

  /** The number of values that a client takes in a turn. */
  int perTurn() {
    return mode.takesSeveral() ? perTransaction : 1;
  }

  /** The mode with its settings, in the guide's notation. */
  String label() {
    if (perTurn() > 1) {
      return mode + " " + perTransaction + " a transaction";
    }
    if (mode.hasWatermark()) {
      return mode + " " + blockSize + ", watermark " + watermark;
    }
    if (mode == Mode.ADAPTIVE) {
      return mode + " " + ADAPTIVE_MIN + " to " + ADAPTIVE_MAX;
    }
    return mode.hasBlockSize() ? mode + " " + blockSize : mode.name();
  }
}
