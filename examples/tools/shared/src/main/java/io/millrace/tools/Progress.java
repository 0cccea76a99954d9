package io.millrace.tools;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a task as a bar on standard error, if there is a terminal. Closing it
 * clears the line.
 */
public final class Progress implements AutoCloseable {

  private static final int UPDATE_MILLIS = 100;

  private final @Nullable ProgressBar bar;

  /**
   * Shows a bar if there is a terminal.
   *
   * @param steps the number of steps, or -1 if unknown
   * @param unit the text after the number of steps
   */
  public Progress(String task, long steps, String unit, boolean terminal) {
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setUnit(unit, 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .clearDisplayOnFinish()
                .build()
            : null;
  }

  /** Returns whether the script that started this JVM found a terminal. */
  public static boolean hasTerminal() {
    return Boolean.getBoolean("millrace.terminal");
  }

  /**
   * Returns whether the bar is shown. If not, there is no need to compute the progress.
   *
   * @return whether there is a terminal
   */
  public boolean isShown() {
    return bar != null;
  }

  /** Adds one step. */
  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  /** Sets the total number of steps done. */
  public void stepTo(long steps) {
    if (bar != null) {
      bar.stepTo(steps);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
