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

  private static final int MAX_BATCH = 1_000_000;
  private static final int MAX_PER_TRANSACTION = 1_000;
  private static final Duration APP_LATENCY = Duration.ofMillis(10);

  /** With the default watermark, three quarters of a block are used before the next is reserved. */
  private static final int WATERMARKS_A_BLOCK = 4;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Values in a block, 2 to 1000000 (default: 200).")
  private @Nullable Long batchSize;

  @Option(
      names = "--watermark",
      paramLabel = "N",
      description =
          "Values left in the buffer at which the next block is reserved, 1 to the batch size less"
              + " 1 (default: a quarter of the batch size, at most 50).")
  private @Nullable Long watermark;

  @Option(
      names = "--per-transaction",
      paramLabel = "N",
      description = "Values a transaction takes in mode SYNC, 1 to 1000 (default: 1).")
  private @Nullable Integer perTransaction;

  @Option(
      names = "--app-latency",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the application works with each value, 0ms to 60s; in SIMPLE and SYNC"
              + " within the transaction (default: 10ms).")
  private @Nullable Duration appLatency;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "When to stop a run, even if iterations are left, 1s to 60m (default: 5m; with --all"
              + " and --targets 10s).")
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
    requireUse("--batch-size", batchSize, mode, Mode::hasBatchSize);
    requireUse("--watermark", watermark, mode, Mode::hasWatermark);
    requireUse("--per-transaction", perTransaction, mode, each -> each == Mode.SYNC);
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
    long block = batchSize == null ? Guide.BATCH_SIZE : batchSize;
    long left =
        watermark == null
            ? Math.max(1, Math.min(Guide.WATERMARK, block / WATERMARKS_A_BLOCK))
            : watermark;
    int values = perTransaction == null ? 1 : perTransaction;
    Duration application = appLatency == null ? APP_LATENCY : appLatency;
    Duration limit = timeLimit == null ? defaultLimit : timeLimit;
    Refusals refusals = new Refusals(spec);
    refusals.require("--batch-size", block, 2, MAX_BATCH);
    refusals.require("--watermark", left, 1, block - 1);
    refusals.require("--per-transaction", values, 1, MAX_PER_TRANSACTION);
    refusals.require("--app-latency", application, Duration.ZERO, Duration.ofSeconds(60));
    refusals.require("--time-limit", limit, Duration.ofSeconds(1), Duration.ofMinutes(60));
    return new Workload(mode, iterations, clients, values, block, left, application, limit);
  }
}
