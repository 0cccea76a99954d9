package io.millrace.micrometer;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * A store whose reservations and releases are observed, so that a trace shows them.
 *
 * <pre>{@code
 * SequenceStore store = ObservedSequenceStore.of(spannerStore, observationRegistry);
 * }</pre>
 *
 * <p>Each subscription to {@link #reserve} or {@link #release} is an observation of its own, which
 * begins with it and ends with the answer, the error, or the cancel. <b>It has no parent</b>: a
 * reservation belongs to all who wait, and not to the one whose request set it off, so that neither
 * an observation or span that is current on the thread nor one in the Reactor Context becomes its
 * parent. What a driver observes becomes its child: it is in the Context of the store's own
 * request, under {@code ObservationThreadLocalAccessor.KEY}, and current on the thread while that
 * is subscribed to. What the store answers is passed on by whatever thread it answers on, with
 * nothing current that was not before.
 *
 * <p>An observation that fails to start or to stop, because a handler or a convention throws, does
 * no harm to the request; the first such throw is logged. {@link #create} and {@link #state} are
 * not observed. A reservation that creates a missing sequence first, since the generator was told
 * to, is one observation, which succeeds.
 *
 * <p>Put it around all other stores, a {@code StripedSequenceStore} too: within one, it would
 * observe what that asks of it.
 */
public final class ObservedSequenceStore extends DelegatingSequenceStore {

  private final Function<SequenceObservationContext, RequestObservation> observation;

  private ObservedSequenceStore(
      SequenceStore store, Function<SequenceObservationContext, RequestObservation> observation) {
    super(store);
    this.observation = observation;
  }

  /**
   * Observes a store's requests under the {@linkplain SequenceObservationConvention#DEFAULT
   * default} names, or those of a {@code GlobalObservationConvention} of the registry.
   *
   * @param store where the counters are
   * @param registry where the observations go
   * @return the store, observed
   */
  public static ObservedSequenceStore of(SequenceStore store, ObservationRegistry registry) {
    Objects.requireNonNull(registry, "registry");
    return new ObservedSequenceStore(
        store, context -> RequestObservation.start(context, null, registry));
  }

  /**
   * Observes a store's requests under names of one's own.
   *
   * @param store where the counters are
   * @param registry where the observations go
   * @param convention gives the names
   * @return the store, observed
   */
  public static ObservedSequenceStore of(
      SequenceStore store, ObservationRegistry registry, SequenceObservationConvention convention) {
    Objects.requireNonNull(registry, "registry");
    Objects.requireNonNull(convention, "convention");
    return new ObservedSequenceStore(
        store, context -> RequestObservation.start(context, convention, registry));
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return observed(
        () -> new SequenceObservationContext(sequence, "reserve", size),
        () -> super.reserve(sequence, size),
        block -> Outcome.SUCCESS);
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return observed(
        () -> new SequenceObservationContext(sequence, "release", tail.size()),
        () -> super.release(sequence, tail),
        givenBack -> givenBack ? Outcome.SUCCESS : Outcome.GAP);
  }

  private <T> Mono<T> observed(
      Supplier<SequenceObservationContext> context,
      Supplier<Mono<T>> request,
      Function<T, Outcome> outcome) {
    return ObservedMono.assembled(
        Mono.defer(request), () -> observation.apply(context.get()), outcome);
  }

  @Override
  public SequenceStore creating(long startValue) {
    return new ObservedSequenceStore(delegate().creating(startValue), observation);
  }

  @Override
  public String toString() {
    return "ObservedSequenceStore[" + delegate() + "]";
  }
}
