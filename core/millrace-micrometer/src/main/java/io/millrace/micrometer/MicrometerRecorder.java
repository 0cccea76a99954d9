package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Records the meters of generators in a Micrometer registry.
 *
 * <pre>{@code
 * SequenceGenerator ids =
 *     SequenceGenerator.builder(store, "order_id")
 *         .metrics(MicrometerRecorder.of(registry))
 *         .build();
 * }</pre>
 *
 * <p>All meters have the tag {@code sequence}. Their names begin with {@code millrace.sequence.}:
 *
 * <ul>
 *   <li>gauges {@code buffered} (values), {@code waiters} (subscribers), {@code unmet} (values;
 *       9.2e18 while a subscriber with unbounded demand waits), {@code inflight} (reservations),
 *       {@code block.size} and {@code watermark} (values) and {@code generators}; {@code remaining}
 *       (values), which is NaN while unknown;
 *   <li>counters {@code issued}, {@code discarded}, {@code released} (values), {@code rejected} and
 *       {@code timeouts} (subscribers);
 *   <li>timers {@code reservation}, with the tag {@code outcome} ({@code success}, {@code timeout},
 *       {@code not_found}, {@code exhausted}, {@code regression}, {@code refused} or {@code
 *       error}), and {@code wait}; the summary {@code block}, the values of a successful
 *       reservation.
 * </ul>
 *
 * <p><b>Sums.</b> Generators that share a recorder and a tag share their meters: gauges and
 * counters are sums, except {@code remaining}, which is the smallest figure. Use one recorder for
 * all generators of a tag: two recorders would remove each other's meters.
 *
 * <p><b>Lifecycle.</b> The meters of a tag are registered when its first generator is built, and
 * removed when the shutdown of its last one is complete. Those of a later generator start at zero.
 *
 * <p><b>Cost.</b> Issuing a value updates no meter: {@code issued} is read from the generators when
 * the registry is read. It includes values claimed for a subscriber that is being served, never
 * falls, and does not change while a generator shuts down.
 *
 * <p>Thread-safe; may be used by any number of generators.
 */
public final class MicrometerRecorder implements SequenceMetricsRecorder {

  private final MeterRegistry registry;
  private final UnaryOperator<String> tagOf;

  /** The tags that have generators. Changed under this object's lock. */
  private final Map<String, SequenceMeters> byTag = new ConcurrentHashMap<>();

  private MicrometerRecorder(MeterRegistry registry, UnaryOperator<String> tagOf) {
    this.registry = registry;
    this.tagOf = tagOf;
  }

  /**
   * Returns a recorder that tags the meters with the name of the sequence.
   *
   * @return a recorder for any number of generators
   */
  public static MicrometerRecorder of(MeterRegistry registry) {
    return of(registry, UnaryOperator.identity());
  }

  /**
   * Returns a recorder that computes the tag from the sequence's name. For example, {@code name ->
   * name.replaceAll("/.*", "")} uses one set of meters for {@code orders/a} and {@code orders/b},
   * where a set for each tenant would overload the monitoring system.
   *
   * @param tagOf returns the value of the tag {@code sequence} for a name, always the same; called
   *     at each event, must not block
   * @return a recorder for any number of generators
   */
  public static MicrometerRecorder of(MeterRegistry registry, UnaryOperator<String> tagOf) {
    return new MicrometerRecorder(
        Objects.requireNonNull(registry, "registry"), Objects.requireNonNull(tagOf, "tagOf"));
  }

  @Override
  public synchronized void opened(SequenceGenerator generator) {
    byTag
        .computeIfAbsent(tagOf.apply(generator.name()), tag -> new SequenceMeters(registry, tag))
        .open(generator);
  }

  @Override
  public synchronized void closed(SequenceGenerator generator) {
    String tag = tagOf.apply(generator.name());
    SequenceMeters meters = byTag.get(tag);
    if (meters != null && meters.close(generator)) {
      byTag.remove(tag);
    }
  }

  /** Passes an event to the meters of a sequence, if it has a generator. */
  private void with(String sequence, Consumer<SequenceMeters> event) {
    SequenceMeters meters = byTag.get(tagOf.apply(sequence));
    if (meters != null) {
      event.accept(meters);
    }
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    with(sequence, found -> found.reserved(size, nanos));
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    with(sequence, found -> found.failed(failure, nanos));
  }

  @Override
  public void waited(String sequence, long nanos) {
    with(sequence, found -> found.waited(nanos));
  }

  @Override
  public void waiterRejected(String sequence) {
    with(sequence, found -> found.rejected.increment());
  }

  @Override
  public void waiterTimedOut(String sequence) {
    with(sequence, found -> found.timeouts.increment());
  }

  @Override
  public void discarded(String sequence, long count) {
    with(sequence, found -> found.discarded.increment(count));
  }

  @Override
  public void released(String sequence, long count) {
    with(sequence, found -> found.released.increment(count));
  }
}
