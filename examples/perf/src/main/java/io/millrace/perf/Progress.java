package io.millrace.perf;

import java.time.Duration;
import java.util.function.IntConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A bar for one run, on the standard error if that is a terminal; else nothing. It is full when all
 * iterations are done, or the time is up.
 */
final class Progress implements IntConsumer, AutoCloseable {

  private static final int FULL = 1_000;

  private final Workload workload;
  private final @Nullable ProgressBar bar;

  /** When the first progress came: the clients are at work since then. */
  private long start;

  Progress(Workload workload, boolean terminal) {
    this.workload = workload;
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName(workload.label() + ", " + new Count(workload.clients(), "client"))
                .setInitialMax(FULL)
                .setUnit(" of 1000", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .clearDisplayOnFinish()
                .build()
            : null;
  }

  @Override
  public void accept(int done) {
    if (bar != null) {
      long now = System.nanoTime();
      start = start == 0 ? now : start;
      bar.stepTo(share(workload, done, Duration.ofNanos(now - start)));
    }
  }

  /** How much of a run is over, by iterations or by time, whichever is more; in thousandths. */
  static long share(Workload workload, int done, Duration elapsed) {
    double byTime = (double) elapsed.toNanos() / workload.timeLimit().toNanos();
    double byIterations = (double) done / workload.iterations();
    return Math.round(FULL * Math.min(1, Math.max(byTime, byIterations)));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
