package io.millrace.spring.boot;

import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Disposes the application's {@link RowWriter} beans after the web server has drained, and before
 * any bean (and so any pool) is destroyed. Rows that were accepted are written by then.
 */
final class WritersLifecycle implements SmartLifecycle {

  private static final Logger LOG = Loggers.getLogger(WritersLifecycle.class);

  private final ConfigurableListableBeanFactory beans;
  private final Duration shutdownTimeout;
  private final Scheduler clock;

  private volatile boolean running;

  WritersLifecycle(ConfigurableListableBeanFactory beans, Duration shutdownTimeout) {
    this(beans, shutdownTimeout, Schedulers.parallel());
  }

  WritersLifecycle(
      ConfigurableListableBeanFactory beans, Duration shutdownTimeout, Scheduler clock) {
    this.beans = beans;
    this.shutdownTimeout = shutdownTimeout;
    this.clock = clock;
  }

  @Override
  public void start() {
    if (writers().anyMatch(RowWriter::isDisposed)) {
      throw new IllegalStateException(
          "a RowWriter was disposed when the context stopped: create a new context, because this"
              + " one cannot be started again");
    }
    running = true;
  }

  /** Those that were made. A lazy bean that nobody used is not made in order to be disposed. */
  private Stream<RowWriter<?>> writers() {
    return Stream.of(beans.getBeanNamesForType(RowWriter.class, false, false))
        .filter(beans::containsSingleton)
        .map(name -> (RowWriter<?>) beans.getBean(name, RowWriter.class));
  }

  @Override
  public void stop(Runnable callback) {
    Mono<Void> disposed = Flux.fromStream(this::writers).flatMap(RowWriter::disposeLater).then();
    if (shutdownTimeout.isZero()) {
      disposed.subscribe();
      stopped(callback);
      return;
    }
    disposed
        .timeout(shutdownTimeout, Mono.fromRunnable(this::warn), clock)
        .doFinally(end -> stopped(callback))
        .subscribe();
  }

  private void warn() {
    LOG.warn(
        "Not all rows that a RowWriter had accepted were written within {}; what became of the rest"
            + " is not known",
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
    return GeneratorsLifecycle.PHASE;
  }

  /** False: disposed writers cannot be resumed. */
  @Override
  public boolean isPauseable() {
    return false;
  }
}
