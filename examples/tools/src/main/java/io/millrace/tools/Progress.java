package io.millrace.tools;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A bar on the error output that shows how far a task is, if there is a terminal; else nothing.
 * Closing it clears its line.
 */
public final class Progress implements AutoCloseable {

  private static final int UPDATE_MILLIS = 100;

  private final @Nullable ProgressBar bar;

  /**
   * Shows a bar, unless there is no terminal.
   *
   * @param steps how many there will be, or -1 if that is not known
   * @param unit what is printed behind their number
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

  /** Whether the script that started this JVM found a terminal. */
  public static boolean hasTerminal() {
    return Boolean.getBoolean("millrace.terminal");
  }

  /**
   * Tells whether anything is shown, and so whether it is worth finding out how far the work is.
   *
   * @return whether there is a terminal
   */
  public boolean isShown() {
    return bar != null;
  }

  /** One step more is done. */
  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  /** So many steps are done in all. */
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
