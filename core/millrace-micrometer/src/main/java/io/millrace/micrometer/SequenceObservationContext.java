package io.millrace.micrometer;

import io.micrometer.observation.Observation;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The context of an observed request of a sequence to its store. */
public final class SequenceObservationContext extends Observation.Context {

  private final String sequence;
  private final UnaryOperator<String> tagOf;
  private final boolean timed;
  private final String operation;
  private final long values;

  /** Written once, before the observation stops. */
  private volatile Outcome outcome = Outcome.NONE;

  SequenceObservationContext(
      String sequence, UnaryOperator<String> tagOf, boolean timed, String operation, long values) {
    this.sequence = Objects.requireNonNull(sequence, "sequence");
    this.tagOf = tagOf;
    this.timed = timed;
    this.operation = operation;
    this.values = values;
  }

  /** {@return the name of the sequence} */
  public String sequence() {
    return sequence;
  }

  /**
   * Returns the value of the tag {@code sequence} of meters. With Spring Boot, it is the template
   * of a sequence that belongs to one.
   *
   * @return the name of the sequence, unless {@link ObservedSequenceStore#taggedBy} is set
   */
  public String tag() {
    return tagOf.apply(sequence);
  }

  /**
   * Returns whether handlers should derive meters from the observation. This is only a hint:
   * Millrace's Spring Boot starter adds a {@code MeterObservationHandler} that follows it.
   *
   * @return true unless the store is {@link ObservedSequenceStore#untimed()}
   */
  public boolean isTimed() {
    return timed;
  }

  /** {@return the operation, {@code reserve} or {@code release}} */
  public String operation() {
    return operation;
  }

  /** {@return the number of values to reserve or release} */
  public long values() {
    return values;
  }

  /**
   * Returns the outcome of the request:
   *
   * <ul>
   *   <li>{@code none}: it has not ended;
   *   <li>{@code success};
   *   <li>{@code gap}: the values could not be released;
   *   <li>{@code timeout}: it was cancelled; generators cancel after the reservation timeout;
   *   <li>another kind of failure: {@code not_found}, {@code exhausted}, {@code regression}, {@code
   *       refused} or {@code error}.
   * </ul>
   */
  public String outcome() {
    return outcome.text();
  }

  void end(Outcome reached) {
    outcome = reached;
  }
}
