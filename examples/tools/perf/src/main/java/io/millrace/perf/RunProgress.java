package io.millrace.perf;

import io.millrace.tools.Progress;
import java.time.Duration;
import java.util.function.IntConsumer;

/** Shows the progress of a run, which ends when all iterations are done or the time is up. */
final class RunProgress implements IntConsumer, AutoCloseable {

  private static final int FULL = 1_000;

  private final Workload workload;
  private final Progress shown;

  /** The time of the first progress report, when the clients have started. */
  private long start;

  RunProgress(Workload workload, boolean terminal) {
    this.workload = workload;
    this.shown =
        new Progress(
            workload.label() + ", " + new Count(workload.clients(), "client"),
            FULL,
            " of 1000",
            terminal);
  }

  @Override
  public void accept(int done) {
    if (shown.isShown()) {
      long now = System.nanoTime();
      start = start == 0 ? now : start;
      shown.stepTo(share(workload, done, Duration.ofNanos(now - start)));
    }
  }

  /** The finished part of a run in thousandths, by iterations or by time; the larger counts. */
  static long share(Workload workload, int done, Duration elapsed) {
    double byTime = (double) elapsed.toNanos() / workload.timeLimit().toNanos();
    double byIterations = (double) done / workload.iterations();
    return Math.round(FULL * Math.min(1, Math.max(byTime, byIterations)));
  }

  @Override
  public void close() {
    shown.close();
  }
}
