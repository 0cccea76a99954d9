package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Prepares the sequences before the web server listens. After it has drained, and before any bean
 * (and so any pool) is destroyed, disposes the generators and the application's {@link RowWriter}
 * beans: values are released, and accepted rows written. The shutdown waits for that, but not
 * longer than its timeout.
 */
final class SequencesLifecycle implements SmartLifecycle {

  /** Started before and stopped after Spring Boot's web servers, whose phases are above. */
  private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private static final Logger LOG = Loggers.getLogger(SequencesLifecycle.class);

  private final @Nullable SequenceGenerators generators;
  private final StartCheck check;
  private final ConfigurableListableBeanFactory beans;
  private final Duration shutdownTimeout;
  private final Scheduler clock;

  private volatile boolean running;
  private volatile Disposable work = Disposables.disposed();

  /**
   * @param shutdownTimeout 0 means not to wait
   */
  SequencesLifecycle(
      @Nullable SequenceGenerators generators,
      StartCheck check,
      ConfigurableListableBeanFactory beans,
      Duration shutdownTimeout,
      Scheduler clock) {
    if (shutdownTimeout.isNegative()) {
      throw StartFailedException.ofProperty("shutdown-timeout", "it must be 0 or more");
    }
    this.generators = generators;
    this.check = check;
    this.beans = beans;
    this.shutdownTimeout = shutdownTimeout;
    this.clock = clock;
  }

  @Override
  public void start() {
    if (generators != null && generators.isDisposed()) {
      throw new IllegalStateException(
          "sequences and row writers were disposed when the context stopped: create a new context,"
              + " because this one cannot be started again");
    }
    running = true; // also if the work fails: values of finished warm-ups must be released
    work = check.run();
  }

  /** The writers that were created. An unused lazy bean is not created only to be disposed. */
  private Stream<RowWriter<?>> writers() {
    return Stream.of(beans.getBeanNamesForType(RowWriter.class, false, false))
        .filter(beans::containsSingleton)
        .map(name -> (RowWriter<?>) beans.getBean(name, RowWriter.class));
  }

  @Override
  public void stop(Runnable callback) {
    work.dispose();
    Mono<Void> disposal =
        Mono.when(
            Flux.fromStream(this::writers)
                .flatMap(writer -> Mono.defer(writer::disposeLater).onErrorComplete()),
            Mono.justOrEmpty(generators).flatMap(SequenceGenerators::disposeLater));
    Mono<Void> waited =
        shutdownTimeout.isZero()
            ? Mono.fromRunnable(disposal::subscribe)
            : disposal.timeout(shutdownTimeout, Mono.fromRunnable(this::warn), clock);
    waited
        .doFinally(
            end -> {
              running = false;
              callback.run();
            })
        .subscribe();
  }

  private void warn() {
    LOG.warn(
        "Not all unused values were released, or not all accepted rows written, within {}: the"
            + " values are gaps, and the outcome of the rows is unknown",
        shutdownTimeout);
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

  /** False, because disposed generators cannot be resumed. */
  @Override
  public boolean isPauseable() {
    return false;
  }
}
