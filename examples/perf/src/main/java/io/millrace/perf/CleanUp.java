package io.millrace.perf;

import java.time.Duration;

/** Something to be done once: when this is closed, or when the JVM is told to end before that. */
final class CleanUp implements AutoCloseable {

  /** A JVM that is told to end waits no longer than this. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Runnable task;
  private boolean begun;
  private final Thread hook = new Thread(this::inAHurry, "perf-clean-up");

  CleanUp(Runnable task) {
    this.task = task;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    once();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook runs already, and finds nothing left to do.
    }
  }

  /** Who comes second waits for the first to be through. */
  private synchronized void once() {
    if (!begun) {
      begun = true;
      task.run();
    }
  }

  private void inAHurry() {
    Thread worker = new Thread(this::once, "perf-clean-up-worker");
    worker.setDaemon(true);
    worker.start();
    try {
      worker.join(LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
