package io.millrace.perf;

import java.util.function.IntConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar for one run, on the standard error if that is a terminal; else nothing. */
final class Progress implements IntConsumer, AutoCloseable {

  private final @Nullable ProgressBar bar;

  Progress(Workload workload, boolean terminal) {
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName(workload.label() + ", " + workload.clients() + " clients")
                .setInitialMax(workload.iterations())
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .clearDisplayOnFinish()
                .build()
            : null;
  }

  @Override
  public void accept(int done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
