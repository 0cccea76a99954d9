package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Records the meters of generators in a Micrometer registry.
 *
 * <pre>{@code
 * SequenceGenerator invoices =
 *     SequenceGenerator.builder(store, "invoice_id")
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
 * <p><b>Sums.</b> Generators that share a registry and a tag share their meters, even with
 * different recorders: gauges and counters are sums, except {@code remaining}, which is the
 * smallest figure.
 *
 * <p><b>Lifecycle.</b> The meters are registered when the first generator is built, and removed
 * when the shutdown of the last one is complete. A generator that is not disposed keeps its meters,
 * and the registry retains the generator. Counters that are registered again continue from their
 * last total, for the 10,000 tags that were removed last; timers and the summary start at zero.
 * Registries that publish differences ({@code PushMeterRegistry}, StatsD) would report such a total
 * again, so their counters start at zero as well.
 *
 * <p><b>Cost.</b> Issuing a value updates no meter: {@code issued} is read from the generators when
 * the registry is read. It includes values claimed for a subscriber that is being served, never
 * falls, and does not change while a generator shuts down.
 *
 * <p>Thread-safe; may be used by any number of generators.
 */
public final class MicrometerRecorder implements SequenceMetricsRecorder {

  private final RegistryMeters meters;
  private final UnaryOperator<String> tagOf;

  private MicrometerRecorder(RegistryMeters meters, UnaryOperator<String> tagOf) {
    this.meters = meters;
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
        RegistryMeters.of(Objects.requireNonNull(registry, "registry")),
        Objects.requireNonNull(tagOf, "tagOf"));
  }

  @Override
  public void opened(SequenceGenerator generator) {
    meters.open(tagOf.apply(generator.name()), generator);
  }

  @Override
  public void closed(SequenceGenerator generator) {
    meters.close(tagOf.apply(generator.name()), generator);
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    meters.with(tagOf.apply(sequence), found -> found.reserved(size, nanos));
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    meters.with(tagOf.apply(sequence), found -> found.timed(Outcome.of(failure), nanos));
  }

  @Override
  public void waited(String sequence, long nanos) {
    meters.with(tagOf.apply(sequence), found -> found.waited(nanos));
  }

  @Override
  public void waiterRejected(String sequence) {
    meters.with(tagOf.apply(sequence), found -> found.rejected.increment());
  }

  @Override
  public void waiterTimedOut(String sequence) {
    meters.with(tagOf.apply(sequence), found -> found.timeouts.increment());
  }

  @Override
  public void discarded(String sequence, long count) {
    meters.with(tagOf.apply(sequence), found -> found.discarded.add(count));
  }

  @Override
  public void released(String sequence, long count) {
    meters.with(tagOf.apply(sequence), found -> found.released.add(count));
  }
}
