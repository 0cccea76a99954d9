package io.millrace.webflux;

import io.millrace.Sequence;
import io.millrace.SequenceGenerators;
import io.millrace.key.BitReversal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Places orders at the highest possible rate until it is stopped or its time is over. */
@Component
@ConditionalOnProperty("orders.live.enabled")
final class LiveLoad {

  /** The wait after an order that failed. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Sequence ids;
  private final R2dbcEntityTemplate orders;
  private final OrderDatabase database;
  private final Duration patience;
  private final LiveSettings settings;
  private final Disposable.Swap work = Disposables.swap();
  private final AtomicLong placed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /** The load that runs; null for none. */
  private final AtomicReference<@Nullable Object> run = new AtomicReference<>();

  LiveLoad(
      SequenceGenerators generators,
      R2dbcEntityTemplate orders,
      OrderDatabase database,
      OrderSettings orderSettings,
      LiveSettings settings) {
    this.ids = generators.get(Order.SEQUENCE).map(BitReversal.PRESERVING_SIGN);
    this.orders = orders;
    this.database = database;
    this.patience = orderSettings.patience();
    this.settings = settings;
  }

  /** Starts the load, or restarts its time. */
  synchronized void start() {
    Object mine = new Object();
    run.set(mine);
    work.update(
        Flux.range(0, settings.loadConcurrency())
            .flatMap(worker -> placeOrder().repeat(), settings.loadConcurrency())
            .takeUntilOther(Mono.delay(settings.loadLimit()))
            .doFinally(end -> run.compareAndSet(mine, null))
            .subscribe());
  }

  void stop() {
    work.update(Disposables.disposed());
  }

  /** The id comes first: while the buffer has ids, only the write needs the database. */
  private Mono<Void> placeOrder() {
    return ids.next()
        .timeout(patience)
        .flatMap(id -> database.write(orders.insert(new Order(id, "live", "flour", 1))))
        .doOnNext(order -> placed.incrementAndGet())
        .then()
        .onErrorResume(
            failure -> {
              failed.incrementAndGet();
              return Mono.delay(PAUSE).then();
            });
  }

  boolean isRunning() {
    return run.get() != null;
  }

  long placed() {
    return placed.get();
  }

  long failed() {
    return failed.get();
  }

  /** Ends the load, which would otherwise place orders while the service stops. */
  @EventListener(ContextClosedEvent.class)
  void end() {
    work.dispose();
  }
}
