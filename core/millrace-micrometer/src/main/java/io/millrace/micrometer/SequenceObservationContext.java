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

  /**
   * Returns the name of the sequence that the request is for.
   *
   * @return the name
   */
  public String sequence() {
    return sequence;
  }

  /**
   * Returns what stands for the sequence in the tags of meters. With Spring Boot that is the text
   * of the template, for a sequence that belongs to one.
   *
   * @return the name of the sequence, unless {@link ObservedSequenceStore#taggedBy} is set
   */
  public String tag() {
    return tagOf.apply(sequence);
  }

  /**
   * Tells whether handlers are to make meters of the observation. It has no effect by itself.
   * Spring Boot's starter adds a {@code MeterObservationHandler} that keeps others from it.
   *
   * @return true unless the store is {@link ObservedSequenceStore#untimed()}
   */
  public boolean isTimed() {
    return timed;
  }

  /**
   * Returns what is asked of the store.
   *
   * @return {@code reserve} or {@code release}
   */
  public String operation() {
    return operation;
  }

  /**
   * Returns how many values are to be reserved or given back.
   *
   * @return 1 or more
   */
  public long values() {
    return values;
  }

  /**
   * Returns the outcome of the request:
   *
   * <ul>
   *   <li>{@code none}: it has not ended;
   *   <li>{@code success};
   *   <li>{@code gap}: the values could not be given back;
   *   <li>{@code timeout}: it was cancelled; generators cancel after the reservation timeout;
   *   <li>another kind of failure: {@code not_found}, {@code exhausted}, {@code regression}, {@code
   *       refused} or {@code error}.
   * </ul>
   *
   * @return one of these words
   */
  public String outcome() {
    return outcome.text();
  }

  void end(Outcome reached) {
    outcome = reached;
  }
}
