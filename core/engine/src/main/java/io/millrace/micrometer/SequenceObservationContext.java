package io.millrace.micrometer;

import io.micrometer.observation.Observation;
import java.util.Objects;

/** The context of an observed request of a sequence to its store. */
public final class SequenceObservationContext extends Observation.Context {

  private final String sequence;
  private final String operation;
  private final long values;

  /** Written once, before the observation stops. */
  private volatile Outcome outcome = Outcome.NONE;

  SequenceObservationContext(String sequence, String operation, long values) {
    this.sequence = Objects.requireNonNull(sequence, "sequence");
    this.operation = operation;
    this.values = values;
  }

  /**
   * Returns which sequence the request is for.
   *
   * @return its name
   */
  public String sequence() {
    return sequence;
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
   * Returns the outcome of the request, once it has ended: {@code success}; {@code gap}, if the
   * values could not be given back; {@code timeout}, if the request was cancelled, as a generator
   * does after its reservation timeout; or another kind of failure, {@code not_found}, {@code
   * exhausted}, {@code regression}, {@code refused} or {@code error}.
   *
   * @return one of those; of a request that has not ended, {@code none}
   */
  public String outcome() {
    return outcome.text();
  }

  void end(Outcome reached) {
    outcome = reached;
  }
}
