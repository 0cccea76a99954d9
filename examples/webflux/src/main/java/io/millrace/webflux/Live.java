package io.millrace.webflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.key.BitReversal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** What the live page does and shows: a load, an outage, and the state of the generators. */
@Component
@ConditionalOnBooleanProperty("orders.live.enabled")
final class Live {

  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

  private final SequenceGenerators generators;
  private final R2dbcEntityTemplate orders;
  private final MeterRegistry meters;
  private final DatabaseSwitch database;
  private final LiveSettings settings;

  private final KeySpread keys = new KeySpread();
  private final AtomicLong placed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Disposable.Swap load = Disposables.swap();
  private final Disposable.Swap endOfOutage = Disposables.swap();
  private final Sinks.Empty<Void> stopped = Sinks.empty();

  /** The totals when the database was cut off; null while it is not. */
  private volatile LiveState.@Nullable Outage begin;

  Live(
      SequenceGenerators generators,
      R2dbcEntityTemplate orders,
      MeterRegistry meters,
      DatabaseSwitch database,
      LiveSettings settings) {
    this.generators = generators;
    this.orders = orders;
    this.meters = meters;
    this.database = database;
    this.settings = settings;
  }

  /** Places orders at the highest possible rate until it is stopped or its time is over. */
  void startLoad() {
    load.update(
        Flux.range(0, settings.concurrency())
            .flatMap(
                worker -> placeOrder().subscribeOn(Schedulers.boundedElastic()).repeat(),
                settings.concurrency())
            .takeUntilOther(Mono.delay(settings.limit()))
            .subscribe());
  }

  void stopLoad() {
    load.update(Disposables.disposed());
  }

  /** The id comes first: while the buffer has ids, only the write needs the database. */
  private Mono<Void> placeOrder() {
    return generators
        .get(Order.SEQUENCE)
        .next()
        .flatMap(
            number -> {
              long id = BitReversal.PRESERVING_SIGN.applyAsLong(number);
              return orders
                  .insert(new Order(id, "live", "flour", 1))
                  .doOnNext(order -> keys.add(number));
            })
        .doOnNext(order -> placed.incrementAndGet())
        .then()
        .onErrorResume(
            failure -> {
              failed.incrementAndGet();
              return Mono.delay(PAUSE_AFTER_FAILURE).then();
            });
  }

  void cut() {
    begin = totals();
    database.cut(true);
    endOfOutage.update(Mono.delay(settings.limit()).subscribe(over -> connect()));
  }

  void connect() {
    database.cut(false);
    begin = null;
  }

  private LiveState.Outage totals() {
    return new LiveState.Outage(
        generators.snapshots().stream().mapToLong(SequenceGeneratorSnapshot::issued).sum(),
        failed.get());
  }

  Flux<LiveState> states() {
    return Flux.interval(Duration.ZERO, INTERVAL)
        .onBackpressureDrop()
        .map(tick -> state())
        .takeUntilOther(stopped.asMono());
  }

  private LiveState state() {
    LiveState.Outage first = begin;
    LiveState.Outage now = totals();
    return new LiveState(
        System.nanoTime() / 1e9,
        isLoading(),
        placed.get(),
        now.failed(),
        first == null
            ? null
            : new LiveState.Outage(now.issued() - first.issued(), now.failed() - first.failed()),
        generators.snapshots().stream().map(this::sequence).toList(),
        keys.counts());
  }

  private boolean isLoading() {
    Disposable running = load.get();
    return running != null && !running.isDisposed();
  }

  private LiveState.Sequence sequence(SequenceGeneratorSnapshot of) {
    Timer timer =
        meters
            .find("millrace.sequence.reservation")
            .tags("sequence", of.name(), "outcome", "success")
            .timer();
    return new LiveState.Sequence(
        of.name(),
        of.buffered(),
        of.waiters(),
        of.issued(),
        of.reservations(),
        timer == null ? 0 : timer.mean(TimeUnit.MILLISECONDS),
        of.failing());
  }

  /** Ends the load and the pages' streams, for which the shutdown of the service would wait. */
  @EventListener(ContextClosedEvent.class)
  void stop() {
    load.dispose();
    endOfOutage.dispose();
    stopped.tryEmitEmpty();
  }
}
