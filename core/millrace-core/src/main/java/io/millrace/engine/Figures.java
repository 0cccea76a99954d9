package io.millrace.engine;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.internal.ShownText;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The figures of a snapshot. */
record Figures(
    String sequence,
    long buffered,
    int waiters,
    long unmetDemand,
    long reservations,
    long issued,
    long discarded,
    long batchSize,
    long lowWatermark,
    boolean reservationInFlight,
    @Nullable Throwable lastFailure,
    boolean failing,
    boolean disposed,
    OptionalLong remaining,
    OptionalDouble remainingShare)
    implements SequenceGeneratorSnapshot {

  /** The figures of a generator that was never used. */
  static Figures unused(String sequence, boolean disposed) {
    return new Figures(
        sequence,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        false,
        null,
        false,
        disposed,
        OptionalLong.empty(),
        OptionalDouble.empty());
  }

  @Override
  public String toString() {
    return "SequenceGeneratorSnapshot[sequence="
        + ShownText.name(sequence)
        + ", buffered="
        + buffered
        + ", waiters="
        + waiters
        + ", unmetDemand="
        + unmetDemand
        + ", reservations="
        + reservations
        + ", issued="
        + issued
        + ", discarded="
        + discarded
        + ", batchSize="
        + batchSize
        + ", lowWatermark="
        + lowWatermark
        + ", reservationInFlight="
        + reservationInFlight
        + ", lastFailure="
        + ShownText.line(String.valueOf(lastFailure))
        + ", failing="
        + failing
        + ", disposed="
        + disposed
        + ", remaining="
        + (remaining.isPresent() ? remaining.getAsLong() : "unknown")
        + "]";
  }
}
