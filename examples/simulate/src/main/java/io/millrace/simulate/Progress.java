package io.millrace.simulate;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how many runs are done, on a terminal only, on the error output. */
final class Progress implements AutoCloseable {

  private final @Nullable ProgressBar bar;

  /**
   * Progress of a task.
   *
   * @param runs how many there will be, or -1 if that is not known
   */
  Progress(String task, long runs, boolean terminal) {
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(runs)
                .setUnit(" runs", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(100)
                .clearDisplayOnFinish()
                .build()
            : null;
  }

  void step() {
    if (bar != null) {
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
