package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Prepares table and sequences before the web server listens, and releases unused values. */
final class GeneratorsLifecycle extends DisposalLifecycle {

  private static final Logger LOG = Loggers.getLogger(GeneratorsLifecycle.class);

  private final SequenceGenerators generators;
  private final StartupWork work;

  GeneratorsLifecycle(SequenceGenerators generators, StartupWork work, Duration shutdownTimeout) {
    this(generators, work, shutdownTimeout, Schedulers.parallel());
  }

  GeneratorsLifecycle(
      SequenceGenerators generators, StartupWork work, Duration shutdownTimeout, Scheduler clock) {
    super(shutdownTimeout, clock);
    if (shutdownTimeout.isNegative()) {
      throw PropertyRefusal.of("shutdown-timeout", shutdownTimeout, "it must be 0 or more");
    }
    this.generators = generators;
    this.work = work;
  }

  @Override
  public void start() {
    if (generators.isDisposed()) {
      throw new IllegalStateException(
          "the sequence generators were disposed when the context stopped: create a new context,"
              + " because this one cannot be started again");
    }
    super.start(); // also if the work fails: values of finished warm-ups must be given back
    work.run();
  }

  @Override
  Mono<Void> disposal() {
    return generators.disposeLater();
  }

  @Override
  void warn(Duration waited) {
    LOG.warn(
        "Not all unused values of sequences were released within {}; the rest are gaps", waited);
  }
}
