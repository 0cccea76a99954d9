package io.millrace.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names of requests to stores in observations. To change some, override those methods, and pass
 * the convention to {@link ObservedSequenceStore#of(io.millrace.SequenceStore,
 * io.micrometer.observation.ObservationRegistry, SequenceObservationConvention)}.
 */
public interface SequenceObservationConvention
    extends ObservationConvention<SequenceObservationContext> {

  /** The names that this interface gives. */
  SequenceObservationConvention DEFAULT = new SequenceObservationConvention() {};

  /**
   * Returns the name of the observation, and of a timer derived from it.
   *
   * @return {@code millrace.reservation}
   */
  @Override
  default String getName() {
    return "millrace.reservation";
  }

  /**
   * Returns the name of a span.
   *
   * @param context the request
   * @return its operation and its sequence, {@code reserve invoice_id} for example
   */
  @Override
  default String getContextualName(SequenceObservationContext context) {
    return context.operation() + " " + context.sequence();
  }

  /**
   * Returns the key values fit for the tags of a meter.
   *
   * @param context the request
   * @return {@code sequence}, which is the {@linkplain SequenceObservationContext#tag() tag},
   *     {@code operation} and {@code outcome}
   */
  @Override
  default KeyValues getLowCardinalityKeyValues(SequenceObservationContext context) {
    return KeyValues.of(
        KeyValue.of("sequence", context.tag()),
        KeyValue.of("operation", context.operation()),
        KeyValue.of("outcome", context.outcome()));
  }

  /**
   * Returns the key values fit for a span only.
   *
   * @param context the request
   * @return {@code sequence.name}, and {@code values}, the number of values to reserve or to give
   *     back
   */
  @Override
  default KeyValues getHighCardinalityKeyValues(SequenceObservationContext context) {
    return KeyValues.of(
        KeyValue.of("sequence.name", context.sequence()),
        KeyValue.of("values", Long.toString(context.values())));
  }

  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof SequenceObservationContext;
  }
}
