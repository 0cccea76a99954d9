package io.millrace.perf;

import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the workload. */
final class WorkloadOptions {

  private static final int LARGEST_BLOCK = 1_000_000;
  private static final int MAX_PER_TRANSACTION = 1_000;
  private static final Duration APP_LATENCY = Duration.ofMillis(10);

  /** With the default watermark, three quarters of a block are used before the next is reserved. */
  private static final int WATERMARKS_A_BLOCK = 4;

  @Option(
      names = "--block-size",
      paramLabel = "N",
      description = "Values in a block, 2 to 1000000 (default: 200).")
  private @Nullable Long blockSize;

  @Option(
      names = "--watermark",
      paramLabel = "N",
      description =
          "Buffered values at which the next block is reserved, 1 to block size - 1 (default: a"
              + " quarter of the block size, at most 50).")
  private @Nullable Long watermark;

  @Option(
      names = "--per-transaction",
      paramLabel = "N",
      description = "Values per transaction in SYNC and BY_HAND, 1 to 1000 (default: 1).")
  private @Nullable Integer perTransaction;

  @Option(
      names = "--app",
      paramLabel = "WORK",
      description =
          "The application's work for each value: transaction, a read-write transaction in the"
              + " sequence's database, or timer, which only waits for the same time. In SIMPLE and"
              + " SYNC the value is taken in that transaction (default: transaction).")
  private Application.Kind application = Application.Kind.TRANSACTION;

  @Option(
      names = "--app-latency",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time of the application's work for each value, 0ms to 60s; in SIMPLE and SYNC within the"
              + " transaction (default: 10ms).")
  private @Nullable Duration appLatency;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time for which the clients work before the measurement, 0s to 60s (default: 0s, which"
              + " includes the first values; 1s with --targets).")
  private @Nullable Duration warmUp;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time after which a run stops even if iterations are left, 1s to 60m (default: 5m; 10s with"
              + " --all and --targets).")
  private @Nullable Duration timeLimit;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  WorkloadOptions() {}

  /**
   * The workload of one mode.
   *
   * @throws picocli.CommandLine.ParameterException if an option is out of range, or the mode would
   *     ignore it
   */
  Workload one(Mode mode, int iterations, int clients, Duration defaultLimit) {
    requireUse("--block-size", blockSize, mode, Mode::hasBlockSize);
    requireUse("--watermark", watermark, mode, Mode::hasWatermark);
    requireUse("--per-transaction", perTransaction, mode, Mode::takesSeveral);
    return any(mode, iterations, clients, defaultLimit);
  }

  /** Refuses an option that a mode would ignore. */
  private void requireUse(String option, @Nullable Object value, Mode mode, Predicate<Mode> uses) {
    if (value != null && !uses.test(mode)) {
      throw new Refusals(spec)
          .refusal(option + " is for " + Mode.names(uses) + ", not for " + mode + "; was " + value);
    }
  }

  /** The common workload of several modes; each mode uses the options that it has. */
  Workload any(Mode mode, int iterations, int clients, Duration defaultLimit) {
    long block = blockSize == null ? Workload.GUIDES_BLOCK_SIZE : blockSize;
    long left =
        watermark == null
            ? Math.max(1, Math.min(Workload.GUIDES_WATERMARK, block / WATERMARKS_A_BLOCK))
            : watermark;
    int values = perTransaction == null ? 1 : perTransaction;
    Duration latency = appLatency == null ? APP_LATENCY : appLatency;
    Duration before = warmUp == null ? Duration.ZERO : warmUp;
    Duration limit = timeLimit == null ? defaultLimit : timeLimit;
    Refusals refusals = new Refusals(spec);
    refusals.require("--block-size", block, 2, LARGEST_BLOCK);
    refusals.require("--watermark", left, 1, block - 1);
    refusals.require("--per-transaction", values, 1, MAX_PER_TRANSACTION);
    refusals.require("--app-latency", latency, Duration.ZERO, Duration.ofSeconds(60));
    refusals.require("--warm-up", before, Duration.ZERO, Duration.ofSeconds(60));
    refusals.require("--time-limit", limit, Duration.ofSeconds(1), Duration.ofMinutes(60));
    return new Workload(
        mode, iterations, clients, values, block, left, application, latency, before, limit);
  }
}
