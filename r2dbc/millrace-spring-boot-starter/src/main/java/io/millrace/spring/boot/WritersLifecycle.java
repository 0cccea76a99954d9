package io.millrace.spring.boot;

import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Disposes the application's {@link RowWriter} beans: rows that were accepted are written. */
final class WritersLifecycle extends DisposalLifecycle {

  private static final Logger LOG = Loggers.getLogger(WritersLifecycle.class);

  private final ConfigurableListableBeanFactory beans;

  WritersLifecycle(ConfigurableListableBeanFactory beans, Duration shutdownTimeout) {
    this(beans, shutdownTimeout, Schedulers.parallel());
  }

  WritersLifecycle(
      ConfigurableListableBeanFactory beans, Duration shutdownTimeout, Scheduler clock) {
    super(shutdownTimeout, clock);
    this.beans = beans;
  }

  @Override
  public void start() {
    if (writers().anyMatch(RowWriter::isDisposed)) {
      throw new IllegalStateException(
          "a RowWriter was disposed when the context stopped: create a new context, because this"
              + " one cannot be started again");
    }
    super.start();
  }

  /** The writers that were created. An unused lazy bean is not created only to be disposed. */
  private Stream<RowWriter<?>> writers() {
    return Stream.of(beans.getBeanNamesForType(RowWriter.class, false, false))
        .filter(beans::containsSingleton)
        .map(name -> (RowWriter<?>) beans.getBean(name, RowWriter.class));
  }

  @Override
  Mono<Void> disposal() {
    return Flux.fromStream(this::writers).flatMap(RowWriter::disposeLater).then();
  }

  @Override
  void warn(Duration waited) {
    LOG.warn(
        "Not all rows accepted by RowWriters were written within {}; the outcome of the rest is"
            + " unknown",
        waited);
  }
}
