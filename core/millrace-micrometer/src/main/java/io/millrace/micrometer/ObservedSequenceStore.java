package io.millrace.micrometer;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * Observes the reservations and releases of a store, for traces.
 *
 * <pre>{@code
 * SequenceStore store = ObservedSequenceStore.of(spannerStore, observationRegistry);
 * }</pre>
 *
 * <p>Each subscription to {@link #reserve} or {@link #release} is one observation, which begins
 * with the subscription and ends with the answer, the error, or the cancellation. <b>It has no
 * parent</b>, neither from the thread nor from the Reactor Context, because a reservation belongs
 * to all waiting subscribers and not to the one that triggered it. Observations of a driver become
 * its children: it is in the Context of the request to the wrapped store, under {@code
 * ObservationThreadLocalAccessor.KEY}, and current on the thread while that request is subscribed
 * to. The answer is delivered on the thread of the wrapped store, where the observation is not
 * current.
 *
 * <p>If a handler, a convention or the function of {@link #taggedBy} throws an exception when an
 * observation starts or stops, the request is not affected; the first such exception is logged.
 * {@link #create} and {@link #state} are not observed. A reservation that creates a missing
 * sequence is one observation.
 */
public final class ObservedSequenceStore extends DelegatingSequenceStore {

  private final UnaryOperator<String> tagOf;
  private final boolean timed;
  private final Function<SequenceObservationContext, RequestObservation> observation;

  private ObservedSequenceStore(
      SequenceStore store,
      UnaryOperator<String> tagOf,
      boolean timed,
      Function<SequenceObservationContext, RequestObservation> observation) {
    super(store);
    this.tagOf = tagOf;
    this.timed = timed;
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
        store,
        UnaryOperator.identity(),
        true,
        context -> RequestObservation.start(context, null, registry));
  }

  /**
   * Observes a store's requests under the names of a convention.
   *
   * @param store where the counters are
   * @param registry where the observations go
   * @param convention returns the names
   * @return the store, observed
   */
  public static ObservedSequenceStore of(
      SequenceStore store, ObservationRegistry registry, SequenceObservationConvention convention) {
    Objects.requireNonNull(registry, "registry");
    Objects.requireNonNull(convention, "convention");
    return new ObservedSequenceStore(
        store,
        UnaryOperator.identity(),
        true,
        context -> RequestObservation.start(context, convention, registry));
  }

  /**
   * Returns a copy with another {@link SequenceObservationContext#tag()}, like {@link
   * MicrometerRecorder#of(io.micrometer.core.instrument.MeterRegistry, UnaryOperator)} for meters.
   * Use it if there is a sequence for each tenant, because meters derived from observations are
   * never removed. Defaults to the name of the sequence.
   *
   * @param tagOf returns the tag for the name of a sequence; called for each request, must not
   *     block
   */
  public ObservedSequenceStore taggedBy(UnaryOperator<String> tagOf) {
    return new ObservedSequenceStore(
        delegate(), Objects.requireNonNull(tagOf, "tagOf"), timed, observation);
  }

  /**
   * Returns a copy whose observations are {@linkplain SequenceObservationContext#isTimed() not to
   * be timed}, for generators whose {@link MicrometerRecorder} times the same requests.
   */
  public ObservedSequenceStore untimed() {
    return new ObservedSequenceStore(delegate(), tagOf, false, observation);
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return observed(
        () -> context(request.sequence(), "reserve", request.size()),
        () -> super.reserve(request),
        block -> Outcome.SUCCESS);
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return observed(
        () -> context(sequence, "release", tail.size()),
        () -> super.release(sequence, tail),
        givenBack -> givenBack ? Outcome.SUCCESS : Outcome.GAP);
  }

  private SequenceObservationContext context(String sequence, String operation, long values) {
    return new SequenceObservationContext(sequence, tagOf, timed, operation, values);
  }

  private <T> Mono<T> observed(
      Supplier<SequenceObservationContext> context,
      Supplier<Mono<T>> request,
      Function<T, Outcome> outcome) {
    return ObservedMono.assembled(
        Mono.defer(request), () -> observation.apply(context.get()), outcome);
  }

  @Override
  public String toString() {
    return "ObservedSequenceStore[" + delegate() + "]";
  }
}
