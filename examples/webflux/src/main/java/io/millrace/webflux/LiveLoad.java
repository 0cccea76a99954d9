package io.millrace.webflux;

import io.millrace.key.BitReversal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Places orders, as many as come through, until it is stopped or its time is over. */
@Component
@ConditionalOnProperty("orders.live.enabled")
final class LiveLoad {

  /** The wait after an order that failed. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Orders orders;
  private final OrderDatabase database;
  private final LiveSettings settings;
  private final Disposable.Swap work = Disposables.swap();
  private final AtomicLong placed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final KeySpread plain = KeySpread.plain();
  private final KeySpread reversed = KeySpread.reversed();
  private final KeySpread sharded = KeySpread.sharded();

  /** The load that runs; null for none. */
  private final AtomicReference<@Nullable Object> run = new AtomicReference<>();

  LiveLoad(Orders orders, OrderDatabase database, LiveSettings settings) {
    this.orders = orders;
    this.database = database;
    this.settings = settings;
  }

  /**
   * Where the keys of the last orders are.
   *
   * @param plain with the number as the key
   * @param reversed with its bits reversed, as the orders have it
   * @param sharded with a shard before the number
   */
  record Keys(List<Integer> plain, List<Integer> reversed, List<Integer> sharded) {}

  /** Starts the load, or starts its time again. */
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

  private Mono<Void> placeOrder() {
    return database
        .write(orders.save(new Order(null, "live", "flour", 1)))
        .doOnNext(this::count)
        .then()
        .onErrorResume(
            failure -> {
              failed.incrementAndGet();
              return Mono.delay(PAUSE).then();
            });
  }

  private void count(Order order) {
    long number = BitReversal.PRESERVING_SIGN.applyAsLong(Objects.requireNonNull(order.id()));
    placed.incrementAndGet();
    plain.add(number);
    reversed.add(number);
    sharded.add(number);
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

  Keys keys() {
    return new Keys(plain.counts(), reversed.counts(), sharded.counts());
  }

  /** The service would place orders while it stops. */
  @EventListener(ContextClosedEvent.class)
  void end() {
    work.dispose();
  }
}
