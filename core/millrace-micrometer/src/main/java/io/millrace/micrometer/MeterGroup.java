package io.millrace.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Registers meters with a common prefix and tag, and removes them together. */
record MeterGroup(MeterRegistry registry, String prefix, Tags tags, Set<Meter> registered) {

  MeterGroup(MeterRegistry registry, String prefix, Tags tags) {
    this(registry, prefix, tags, ConcurrentHashMap.newKeySet());
  }

  /** Returns a timer, the same one for the same arguments. */
  Timer timer(String name, String description, String... more) {
    return added(
        Timer.builder(prefix + name)
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  DistributionSummary summary(String name, String unit, String description) {
    return added(
        DistributionSummary.builder(prefix + name)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  Counter counter(String name, String unit, String description, String... more) {
    return added(
        Counter.builder(prefix + name)
            .description(description)
            .baseUnit(unit)
            .tags(tags.and(more))
            .register(registry));
  }

  <T> void counter(
      String name, String unit, String description, T source, ToDoubleFunction<T> count) {
    added(
        FunctionCounter.builder(prefix + name, source, count)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  <T> void gauge(
      String name, String unit, String description, T source, ToDoubleFunction<T> figure) {
    added(
        Gauge.builder(prefix + name, source, figure)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  private <M extends Meter> M added(M meter) {
    registered.add(meter);
    return meter;
  }

  void remove() {
    registered.forEach(registry::remove);
  }
}
