package io.millrace.perf;

import java.time.Duration;

/** Runs a task once: when this is closed, or when the JVM shuts down before that. */
final class CleanUp implements AutoCloseable {

  /** A JVM that shuts down waits at most this long. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Runnable task;
  private boolean begun;
  private final Thread hook = new Thread(this::runWithTimeout, "perf-clean-up");

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
      // The JVM shuts down: the hook runs already, and has nothing left to do.
    }
  }

  /** A second caller waits until the first has finished. */
  private synchronized void once() {
    if (!begun) {
      begun = true;
      task.run();
    }
  }

  private void runWithTimeout() {
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
