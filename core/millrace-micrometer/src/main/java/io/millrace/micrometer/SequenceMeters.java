package io.millrace.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of the generators that share a tag. Registered when created. */
final class SequenceMeters {

  private static final String PREFIX = "millrace.sequence.";

  private final MeterRegistry registry;
  private final Tags tags;
  private final CountedGenerators live = new CountedGenerators();

  /** The meters to remove with the last generator. */
  private final Queue<Meter> registered = new ConcurrentLinkedQueue<>();

  /** Each is registered at its first use. */
  private final Map<Outcome, Timer> reservations = new ConcurrentHashMap<>();

  final Counter discarded;
  final Counter released;
  final Counter rejected;
  final Counter timeouts;
  private final Timer wait;
  private final DistributionSummary block;

  SequenceMeters(MeterRegistry registry, String tag) {
    this.registry = registry;
    this.tags = Tags.of("sequence", tag);
    gauges();
    registered(
        FunctionCounter.builder(PREFIX + "issued", live, CountedGenerators::issued)
            .description("Values issued to subscribers")
            .baseUnit("values")
            .tags(tags)
            .register(registry));
    this.discarded = counter("discarded", "values", "Values reserved and never issued: gaps");
    this.released = counter("released", "values", "Values released to the store");
    this.rejected =
        counter("rejected", "subscribers", "Subscribers rejected because the line was full");
    this.timeouts =
        counter(
            "timeouts",
            "subscribers",
            "Subscribers that received no value within the acquire timeout");
    this.wait =
        registered(
            Timer.builder(PREFIX + "wait")
                .description("Time for which subscribers waited for values")
                .tags(tags)
                .register(registry));
    this.block =
        registered(
            DistributionSummary.builder(PREFIX + "block")
                .description("Values obtained by one reservation")
                .baseUnit("values")
                .tags(tags)
                .register(registry));
  }

  private void gauges() {
    gauge(
        "buffered",
        "values",
        "Values reserved and not yet issued",
        each -> each.sum(SequenceGeneratorSnapshot::buffered));
    gauge(
        "waiters",
        "subscribers",
        "Subscribers waiting for values",
        each -> each.sum(SequenceGeneratorSnapshot::waiters));
    gauge(
        "unmet",
        "values",
        "Values requested by waiting subscribers and not yet issued",
        each -> each.sum(SequenceGeneratorSnapshot::unmetDemand));
    gauge(
        "inflight",
        "reservations",
        "Reservations sent to the store and not yet answered",
        each -> each.sum(snapshot -> snapshot.reservationInFlight() ? 1 : 0));
    gauge(
        "block.size",
        "values",
        "Values that a reservation obtains if no subscriber waits",
        each -> each.sum(SequenceGeneratorSnapshot::blockSize));
    gauge(
        "watermark",
        "values",
        "Buffered values at which the next block is reserved",
        each -> each.sum(SequenceGeneratorSnapshot::lowWatermark));
    gauge(
        "generators", "generators", "Generators built and not shut down", CountedGenerators::size);
    gauge(
        "remaining",
        "values",
        "Values up to maxValue that are not reserved",
        CountedGenerators::leastRemaining);
  }

  void open(SequenceGenerator generator) {
    live.add(generator);
  }

  /** Removes a generator, and with the last one the meters. Returns true if it was the last. */
  boolean close(SequenceGenerator generator) {
    boolean isLast = live.remove(generator);
    if (isLast) {
      registered.forEach(registry::remove);
    }
    return isLast;
  }

  void reserved(long size, long nanos) {
    timed(Outcome.SUCCESS, nanos);
    block.record(size);
  }

  void timed(Outcome outcome, long nanos) {
    reservations
        .computeIfAbsent(outcome, this::reservationTimer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  void waited(long nanos) {
    wait.record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer reservationTimer(Outcome outcome) {
    return registered(
        Timer.builder(PREFIX + "reservation")
            .description("Time that the store took to answer a reservation")
            .tags(tags.and("outcome", outcome.text()))
            .register(registry));
  }

  private void gauge(
      String name, String unit, String description, ToDoubleFunction<CountedGenerators> figure) {
    registered(
        Gauge.builder(PREFIX + name, live, figure)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  private Counter counter(String name, String unit, String description) {
    return registered(
        Counter.builder(PREFIX + name)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  private <M extends Meter> M registered(M meter) {
    registered.add(meter);
    return meter;
  }
}
