package io.millrace.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names of requests to stores in observations. To change names, override methods, and pass the
 * convention to {@link ObservedSequenceStore#of(io.millrace.SequenceStore,
 * io.micrometer.observation.ObservationRegistry, SequenceObservationConvention)}.
 */
public interface SequenceObservationConvention
    extends ObservationConvention<SequenceObservationContext> {

  /** The default names. */
  SequenceObservationConvention DEFAULT = new SequenceObservationConvention() {};

  /**
   * {@return the name of the observation and of a timer derived from it, {@code
   * millrace.reservation}}
   */
  @Override
  default String getName() {
    return "millrace.reservation";
  }

  /**
   * Returns the name of a span.
   *
   * @param context the request
   * @return the operation and the sequence, for example {@code reserve invoice_id}
   */
  @Override
  default String getContextualName(SequenceObservationContext context) {
    return context.operation() + " " + context.sequence();
  }

  /**
   * Returns the key values for meters and spans.
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
   * Returns the key values for spans only.
   *
   * @param context the request
   * @return {@code sequence.name}, and {@code values}, the number of values to reserve or release
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
