package io.millrace.micrometer;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the generators that share a tag, and their totals. The meters are registered while
 * there is a generator; the totals are kept for later generators.
 */
final class SequenceMeters {

  private static final String PREFIX = "millrace.sequence.";

  private final MeterRegistry registry;
  private final Tags tags;

  private final CountedGenerators live = new CountedGenerators();
  final LongAdder discarded = new LongAdder();
  final LongAdder released = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder timeouts = new LongAdder();

  /** The meters to remove with the last generator. Guarded by this object's lock. */
  private final List<Meter> registered = new ArrayList<>();

  /** Each is registered at its first use. Changed under this object's lock. */
  private final Map<Outcome, Timer> reservations = new ConcurrentHashMap<>();

  /** The two below are set while they are registered. Written under this object's lock. */
  private volatile @Nullable Timer wait;

  private volatile @Nullable DistributionSummary block;

  SequenceMeters(MeterRegistry registry, String tag) {
    this.registry = registry;
    this.tags = Tags.of("sequence", tag);
  }

  synchronized void open(SequenceGenerator generator) {
    if (live.add(generator)) {
      register();
    }
  }

  /** Removes a generator. Returns true if it was the last. */
  synchronized boolean close(SequenceGenerator generator) {
    if (!live.remove(generator)) {
      return false;
    }
    reservations.clear();
    wait = null;
    block = null;
    List<Meter> removed = List.copyOf(registered);
    registered.clear();
    removed.forEach(registry::remove);
    return true;
  }

  void reserved(long size, long nanos) {
    timed(Outcome.SUCCESS, nanos);
    DistributionSummary summary = block;
    if (summary != null) {
      summary.record(size);
    }
  }

  void timed(Outcome outcome, long nanos) {
    Timer known = reservations.get(outcome);
    Timer timer = known == null ? reservationTimer(outcome) : known;
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  void waited(long nanos) {
    Timer timer = wait;
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void register() {
    gauge(
        "buffered",
        "values",
        "Values reserved and not yet issued",
        each -> each.live.sum(SequenceGeneratorSnapshot::buffered));
    gauge(
        "waiters",
        "subscribers",
        "Subscribers waiting for values",
        each -> each.live.sum(SequenceGeneratorSnapshot::waiters));
    gauge(
        "unmet",
        "values",
        "Values requested by waiting subscribers and not yet issued",
        each -> each.live.sum(SequenceGeneratorSnapshot::unmetDemand));
    gauge(
        "inflight",
        "reservations",
        "Reservations sent to the store and not yet answered",
        each -> each.live.sum(snapshot -> snapshot.reservationInFlight() ? 1 : 0));
    gauge(
        "block.size",
        "values",
        "Values that a reservation obtains if no subscriber waits",
        each -> each.live.sum(SequenceGeneratorSnapshot::blockSize));
    gauge(
        "watermark",
        "values",
        "Buffered values at which the next block is reserved",
        each -> each.live.sum(SequenceGeneratorSnapshot::lowWatermark));
    gauge(
        "generators", "generators", "Generators built and not shut down", each -> each.live.size());
    gauge(
        "remaining",
        "values",
        "Values up to maxValue that are not reserved",
        each -> each.live.leastRemaining());
    counter("issued", "values", "Values issued to subscribers", each -> each.live.issued());
    counter(
        "discarded",
        "values",
        "Values reserved and never issued: gaps",
        each -> each.discarded.sum());
    counter("released", "values", "Values released to the store", each -> each.released.sum());
    counter(
        "rejected",
        "subscribers",
        "Subscribers rejected because the line was full",
        each -> each.rejected.sum());
    counter(
        "timeouts",
        "subscribers",
        "Subscribers that received no value within the acquire timeout",
        each -> each.timeouts.sum());
    wait =
        registered(
            Timer.builder(PREFIX + "wait")
                .description("Time for which subscribers waited for values")
                .tags(tags)
                .register(registry));
    block =
        registered(
            DistributionSummary.builder(PREFIX + "block")
                .description("Values obtained by one reservation")
                .baseUnit("values")
                .tags(tags)
                .register(registry));
  }

  /** Null if there is no generator left, because the meter would never be removed. */
  private synchronized @Nullable Timer reservationTimer(Outcome outcome) {
    if (live.size() == 0) {
      return null;
    }
    return reservations.computeIfAbsent(
        outcome,
        missing ->
            registered(
                Timer.builder(PREFIX + "reservation")
                    .description("Time that the store took to answer a reservation")
                    .tags(tags.and("outcome", missing.text()))
                    .register(registry)));
  }

  private void gauge(
      String name, String unit, String description, ToDoubleFunction<SequenceMeters> figure) {
    registered(
        Gauge.builder(PREFIX + name, this, figure)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  private void counter(
      String name, String unit, String description, ToDoubleFunction<SequenceMeters> total) {
    registered(
        FunctionCounter.builder(PREFIX + name, this, total)
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
