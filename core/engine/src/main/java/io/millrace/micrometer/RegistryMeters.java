package io.millrace.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.push.PushMeterRegistry;
import io.millrace.SequenceGenerator;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * All that is known of the sequences in one registry: for each tag its meters, or, once its
 * generators are gone, its totals.
 *
 * <p>There is one for a registry, whoever makes the recorders: two would each take the other's
 * meters for its own.
 */
final class RegistryMeters {

  /** For so many tags without generators the totals are kept. */
  static final int KEPT = 10_000;

  private static final Map<MeterRegistry, WeakReference<RegistryMeters>> ALL = new WeakHashMap<>();

  private final MeterRegistry registry;

  /** Those with generators and those that are only kept. Changed under this object's lock. */
  private final ConcurrentMap<String, SequenceMeters> byTag = new ConcurrentHashMap<>();

  /** The tags without generators, the one that ended first in front. Guarded by the lock. */
  private final Map<String, SequenceMeters> kept = new LinkedHashMap<>();

  private RegistryMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  static RegistryMeters of(MeterRegistry registry) {
    synchronized (ALL) {
      WeakReference<RegistryMeters> known = ALL.get(registry);
      RegistryMeters meters = known == null ? null : known.get();
      if (meters == null) {
        meters = new RegistryMeters(registry);
        registry.config().onMeterRemoved(meters::staysWithItsRegistry);
        ALL.put(registry, new WeakReference<>(meters));
      }
      return meters;
    }
  }

  synchronized void open(String tag, SequenceGenerator generator) {
    SequenceMeters meters =
        byTag.computeIfAbsent(tag, missing -> new SequenceMeters(registry, missing));
    kept.remove(tag);
    meters.open(generator);
  }

  synchronized void close(String tag, SequenceGenerator generator) {
    SequenceMeters meters = byTag.get(tag);
    if (meters != null && meters.close(generator)) {
      keep(tag, meters);
    }
  }

  private void keep(String tag, SequenceMeters meters) {
    if (publishesDifferences(registry)) {
      byTag.remove(tag);
      return;
    }
    kept.put(tag, meters);
    if (kept.size() > KEPT) {
      String eldest = kept.keySet().iterator().next();
      kept.remove(eldest);
      byTag.remove(eldest);
    }
  }

  /** Whether a counter that is registered with a total counts that total as an increase. */
  private static boolean publishesDifferences(MeterRegistry registry) {
    if (registry instanceof CompositeMeterRegistry composite) {
      return composite.getRegistries().stream().anyMatch(RegistryMeters::publishesDifferences);
    }
    return registry instanceof PushMeterRegistry
        || registry.getClass().getName().startsWith("io.micrometer.statsd.");
  }

  /** Tells the meters of a tag something; nobody if its generators are long gone. */
  void with(String tag, Consumer<SequenceMeters> event) {
    SequenceMeters meters = byTag.get(tag);
    if (meters != null) {
      event.accept(meters);
    }
  }

  /** How many tags have generators or are kept. */
  int size() {
    return byTag.size();
  }

  /** A listener that has nothing to do: through it the registry, and nothing else, holds this. */
  private void staysWithItsRegistry(Meter removed) {}
}
