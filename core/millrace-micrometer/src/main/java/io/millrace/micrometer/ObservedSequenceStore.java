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
 * A store whose reservations and releases are observed, so that a trace shows them.
 *
 * <pre>{@code
 * SequenceStore store = ObservedSequenceStore.of(spannerStore, observationRegistry);
 * }</pre>
 *
 * <p>Each subscription to {@link #reserve} or {@link #release} is an observation of its own. It
 * begins with the subscription and ends with the answer, the error, or the cancel. <b>It has no
 * parent</b>: a reservation belongs to all waiting subscribers, not to the one that triggered it.
 * So no observation or span that is current on the thread, or in the Reactor Context, becomes its
 * parent. Observations of a driver become its children: this observation is in the Context of the
 * store's own request, under {@code ObservationThreadLocalAccessor.KEY}, and current on the thread
 * while that request is subscribed to. The answer is passed on by the thread that the store answers
 * on, and the observation is not current then.
 *
 * <p>If a handler, a convention or the function of {@link #taggedBy} throws when an observation
 * starts or stops, the request is not affected; the first such throw is logged. {@link #create},
 * {@link #state} and {@link #exhaust} are not observed. A reservation that creates a missing
 * sequence is one observation.
 *
 * <p>Put it around all other stores, also around a {@code StripedSequenceStore}. Inside of one, it
 * would observe the requests that the striped store makes.
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
   * Observes a store's requests under names of your own.
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
        store,
        UnaryOperator.identity(),
        true,
        context -> RequestObservation.start(context, convention, registry));
  }

  /**
   * The same store with another {@link SequenceObservationContext#tag()}, as {@link
   * MicrometerRecorder#of(io.micrometer.core.instrument.MeterRegistry, UnaryOperator)} has for
   * meters. Use it where there is a sequence for each tenant: meters that are made of observations
   * are never removed. The default is the name of the sequence.
   *
   * @param tagOf makes the tag from the name of a sequence; does not block, and is called for each
   *     request
   * @return another store, observed in the same way
   */
  public ObservedSequenceStore taggedBy(UnaryOperator<String> tagOf) {
    return new ObservedSequenceStore(
        delegate(), Objects.requireNonNull(tagOf, "tagOf"), timed, observation);
  }

  /**
   * The same store with observations that are {@linkplain SequenceObservationContext#isTimed() not
   * to be timed}, for generators whose {@link MicrometerRecorder} times the same requests.
   *
   * @return another store, observed in the same way
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
