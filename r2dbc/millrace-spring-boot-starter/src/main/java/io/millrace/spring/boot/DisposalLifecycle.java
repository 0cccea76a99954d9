package io.millrace.spring.boot;

import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Disposes something after the web server has drained, and before any bean (and so any pool) is
 * destroyed. The shutdown waits for it, but not longer than its timeout.
 */
abstract class DisposalLifecycle implements SmartLifecycle {

  /** Started before and stopped after Spring Boot's web servers, whose phases are above. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private final Duration shutdownTimeout;
  private final Scheduler clock;

  private volatile boolean running;

  /**
   * @param shutdownTimeout 0 means not to wait
   */
  DisposalLifecycle(Duration shutdownTimeout, Scheduler clock) {
    this.shutdownTimeout = shutdownTimeout;
    this.clock = clock;
  }

  /** Does the disposal, when subscribed to. */
  abstract Mono<Void> disposal();

  /** Called if the disposal takes longer than the shutdown waits. */
  abstract void warn(Duration waited);

  @Override
  public void start() {
    running = true;
  }

  @Override
  public final void stop(Runnable callback) {
    if (shutdownTimeout.isZero()) {
      disposal().subscribe();
      stopped(callback);
      return;
    }
    disposal()
        .timeout(shutdownTimeout, Mono.fromRunnable(() -> warn(shutdownTimeout)), clock)
        .doFinally(end -> stopped(callback))
        .subscribe();
  }

  private void stopped(Runnable callback) {
    running = false;
    callback.run();
  }

  @Override
  public final void stop() {
    stop(() -> {});
  }

  @Override
  public final boolean isRunning() {
    return running;
  }

  @Override
  public final int getPhase() {
    return PHASE;
  }

  /** False: what is disposed cannot be resumed. */
  @Override
  public final boolean isPauseable() {
    return false;
  }
}
