package io.millrace.quickstart;

import io.millrace.tools.Progress;
import java.io.PrintStream;

/** Shows progress: a bar on a terminal, otherwise a line for every tenth of the rows. */
final class InsertProgress implements AutoCloseable {

  private final PrintStream out;
  private final long total;
  private final Progress bar;
  private long done;

  InsertProgress(PrintStream out, long total, boolean terminal) {
    this.out = out;
    this.total = total;
    this.bar = new Progress("Inserting orders", total, "", terminal);
  }

  /** Adds finished rows. Called by one thread at a time. */
  void add(int rows) {
    long tenthBefore = done * 10 / total;
    done += rows;
    bar.stepTo(done);
    if (!bar.isShown() && done * 10 / total > tenthBefore) {
      out.println("  inserted " + done + " of " + total + " orders");
    }
  }

  @Override
  public void close() {
    bar.close();
  }
}
