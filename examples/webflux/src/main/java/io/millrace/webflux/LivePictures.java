package io.millrace.webflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceGenerators;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Publishes the state at intervals, once for all open pages. Ends when the service stops, which
 * would otherwise wait for the pages.
 */
@Component
@ConditionalOnProperty("orders.live.enabled")
final class LivePictures {

  private static final double NANOS_PER_SECOND = 1e9;

  private final SequenceGenerators generators;
  private final MeterRegistry meters;
  private final LiveLoad load;
  private final LiveKeys keys;
  private final LiveOutage outage;
  private final DatabaseSwitch database;
  private final Flux<LiveState> pictures;
  private final Sinks.Empty<Void> stopped = Sinks.empty();

  LivePictures(
      SequenceGenerators generators,
      MeterRegistry meters,
      LiveLoad load,
      LiveKeys keys,
      LiveOutage outage,
      DatabaseSwitch database,
      LiveSettings settings) {
    this.generators = generators;
    this.meters = meters;
    this.load = load;
    this.keys = keys;
    this.outage = outage;
    this.database = database;
    this.pictures = Flux.defer(() -> pictures(settings.interval())).replay(1).refCount();
  }

  Flux<LiveState> pictures() {
    // A page that does not read must not hold up the others.
    return pictures.onBackpressureLatest().takeUntilOther(stopped.asMono());
  }

  @EventListener(ContextClosedEvent.class)
  void stop() {
    stopped.tryEmitEmpty();
  }

  private Flux<LiveState> pictures(Duration interval) {
    Latencies latencies = new Latencies();
    return Flux.interval(Duration.ZERO, interval)
        .onBackpressureDrop()
        .map(tick -> picture(latencies));
  }

  private LiveState picture(Latencies latencies) {
    boolean cut = database.isCut();
    return new LiveState(
        System.nanoTime() / NANOS_PER_SECOND,
        load.isRunning(),
        cut,
        load.placed(),
        load.failed(),
        outage.counts(),
        generators.snapshots().stream()
            .map(each -> LiveState.Sequence.of(each, cut, latencies.ofLast(each.name())))
            .toList(),
        keys.counts());
  }

  /** The mean time of the reservations since the last picture that had any. */
  private final class Latencies {

    /** The sums so far, and the mean of the last reservations. */
    private record Total(long count, double millis, double mean) {}

    private final Map<String, Total> last = new HashMap<>();

    double ofLast(String sequence) {
      Timer timer =
          meters
              .find("millrace.sequence.reservation")
              .tags("sequence", sequence, "outcome", "success")
              .timer();
      if (timer == null) {
        return 0;
      }
      Total before = last.getOrDefault(sequence, new Total(0, 0, 0));
      long count = timer.count();
      double millis = timer.totalTime(TimeUnit.MILLISECONDS);
      double mean =
          count == before.count()
              ? before.mean()
              : (millis - before.millis()) / (count - before.count());
      last.put(sequence, new Total(count, millis, mean));
      return mean;
    }
  }
}
