package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Prepares table and sequences before the web server listens. After the server has drained, and
 * before any bean (and so any pool) is destroyed, it gives unused values back.
 */
final class GeneratorsLifecycle implements SmartLifecycle {

  /** Started before and stopped after Spring Boot's web servers, whose phases are above. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private static final Logger LOG = Loggers.getLogger(GeneratorsLifecycle.class);

  private final SequenceGenerators generators;
  private final StartupWork work;
  private final Duration shutdownTimeout;
  private final Scheduler clock;

  private volatile boolean running;

  GeneratorsLifecycle(SequenceGenerators generators, StartupWork work, Duration shutdownTimeout) {
    this(generators, work, shutdownTimeout, Schedulers.parallel());
  }

  GeneratorsLifecycle(
      SequenceGenerators generators, StartupWork work, Duration shutdownTimeout, Scheduler clock) {
    if (shutdownTimeout.isNegative()) {
      throw PropertyRefusal.of("shutdown-timeout", shutdownTimeout, "it must be 0 or more");
    }
    this.generators = generators;
    this.work = work;
    this.shutdownTimeout = shutdownTimeout;
    this.clock = clock;
  }

  @Override
  public void start() {
    if (generators.isDisposed()) {
      throw new IllegalStateException(
          "the sequence generators were disposed when the context stopped: create a new context,"
              + " because this one cannot be started again");
    }
    running =
        true; // also if the work fails, because values of finished warm-ups must be given back
    work.run();
  }

  @Override
  public void stop(Runnable callback) {
    Mono<Void> disposed = generators.disposeLater();
    if (shutdownTimeout.isZero()) {
      disposed.subscribe();
      stopped(callback);
      return;
    }
    disposed
        .timeout(shutdownTimeout, Mono.fromRunnable(this::warnOfGaps), clock)
        .doFinally(end -> stopped(callback))
        .subscribe();
  }

  private void warnOfGaps() {
    LOG.warn(
        "Not all values of sequences were given back within {}; those that were not are gaps",
        shutdownTimeout);
  }

  private void stopped(Runnable callback) {
    running = false;
    callback.run();
  }

  @Override
  public void stop() {
    stop(() -> {});
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** False: disposed generators cannot be resumed. */
  @Override
  public boolean isPauseable() {
    return false;
  }
}
