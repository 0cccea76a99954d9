package io.millrace.quickstart;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far the job is: a bar on a terminal, a line every tenth of the way elsewhere. */
final class Progress implements AutoCloseable {

  private final PrintStream out;
  private final long total;
  private final @Nullable ProgressBar bar;
  private long done;

  Progress(PrintStream out, long total, boolean terminal) {
    this.out = out;
    this.total = total;
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName("Inserting orders")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(100)
                .build()
            : null;
  }

  /** Adds rows to those done. Called by one thread at a time. */
  void add(int rows) {
    long tenthBefore = done * 10 / total;
    done += rows;
    if (bar != null) {
      bar.stepTo(done);
    } else if (done * 10 / total > tenthBefore) {
      out.println("  inserted " + done + " of " + total + " orders");
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
