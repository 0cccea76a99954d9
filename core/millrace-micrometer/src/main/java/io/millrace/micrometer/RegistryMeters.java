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
 * The sequences of one registry: for each tag its meters or, when its generators are gone, its
 * totals.
 *
 * <p>There is one for each registry, shared by all recorders: two would each treat the other's
 * meters as their own.
 */
final class RegistryMeters {

  /** How many tags without generators keep their totals. */
  static final int MAX_IDLE_TAGS = 10_000;

  private static final Map<MeterRegistry, WeakReference<RegistryMeters>> ALL = new WeakHashMap<>();

  private final MeterRegistry registry;

  /** Tags with generators, and tags whose totals are kept. Changed under this object's lock. */
  private final ConcurrentMap<String, SequenceMeters> byTag = new ConcurrentHashMap<>();

  /** The tags without generators, in the order in which they ended. Guarded by the lock. */
  private final Map<String, SequenceMeters> idleTags = new LinkedHashMap<>();

  private RegistryMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  static RegistryMeters of(MeterRegistry registry) {
    synchronized (ALL) {
      WeakReference<RegistryMeters> known = ALL.get(registry);
      RegistryMeters meters = known == null ? null : known.get();
      if (meters == null) {
        meters = new RegistryMeters(registry);
        registry.config().onMeterRemoved(meters::keepAlive);
        ALL.put(registry, new WeakReference<>(meters));
      }
      return meters;
    }
  }

  synchronized void open(String tag, SequenceGenerator generator) {
    SequenceMeters meters =
        byTag.computeIfAbsent(tag, missing -> new SequenceMeters(registry, missing));
    idleTags.remove(tag);
    meters.open(generator);
  }

  synchronized void close(String tag, SequenceGenerator generator) {
    SequenceMeters meters = byTag.get(tag);
    if (meters != null && meters.close(generator)) {
      keepTotals(tag, meters);
    }
  }

  private void keepTotals(String tag, SequenceMeters meters) {
    if (publishesDifferences(registry)) {
      byTag.remove(tag);
      return;
    }
    idleTags.put(tag, meters);
    if (idleTags.size() > MAX_IDLE_TAGS) {
      String eldest = idleTags.keySet().iterator().next();
      idleTags.remove(eldest);
      byTag.remove(eldest);
    }
  }

  /** Whether the registry reports the total of a newly registered counter as an increase. */
  private static boolean publishesDifferences(MeterRegistry registry) {
    if (registry instanceof CompositeMeterRegistry composite) {
      return composite.getRegistries().stream().anyMatch(RegistryMeters::publishesDifferences);
    }
    return registry instanceof PushMeterRegistry
        || registry.getClass().getName().startsWith("io.micrometer.statsd.");
  }

  /** Passes an event to the meters of a tag; does nothing if the tag has been forgotten. */
  void with(String tag, Consumer<SequenceMeters> event) {
    SequenceMeters meters = byTag.get(tag);
    if (meters != null) {
      event.accept(meters);
    }
  }

  /** How many tags have generators or keep their totals. */
  int size() {
    return byTag.size();
  }

  /**
   * A listener that does nothing. Through it the registry, and nothing else, keeps this object
   * alive.
   */
  private void keepAlive(Meter removed) {}
}
