package io.millrace;

import io.millrace.internal.ShownText;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a generator holds and has done, at one moment. {@code issued + buffered + discarded} is the
 * number of values reserved so far.
 */
public final class SequenceGeneratorSnapshot {

  private final String sequence;
  private final long buffered;
  private final int waiters;
  private final long unmetDemand;
  private final long reservations;
  private final long issued;
  private final long discarded;
  private final long batchSize;
  private final long lowWatermark;
  private final boolean reservationInFlight;
  private final @Nullable Throwable lastFailure;
  private final boolean failing;
  private final boolean disposed;
  private final CapacityWatch.@Nullable Left left;

  private SequenceGeneratorSnapshot(Builder builder) {
    this.sequence = builder.sequence;
    this.buffered = builder.buffered;
    this.waiters = builder.waiters;
    this.unmetDemand = builder.unmetDemand;
    this.reservations = builder.reservations;
    this.issued = builder.issued;
    this.discarded = builder.discarded;
    this.batchSize = builder.batchSize;
    this.lowWatermark = builder.lowWatermark;
    this.reservationInFlight = builder.reservationInFlight;
    this.lastFailure = builder.lastFailure;
    this.failing = builder.failing;
    this.disposed = builder.disposed;
    this.left = builder.left;
  }

  static Builder builder(String sequence) {
    return new Builder(sequence);
  }

  /**
   * Returns the name of the sequence.
   *
   * @return as given to the generator's builder
   */
  public String sequence() {
    return sequence;
  }

  /**
   * Returns how many values are in the buffer.
   *
   * @return values that are reserved, and neither claimed for a subscriber nor discarded
   */
  public long buffered() {
    return buffered;
  }

  /**
   * Returns how many subscribers wait.
   *
   * @return subscribers that wait for a value
   */
  public int waiters() {
    return waiters;
  }

  /**
   * Returns how many values the waiting subscribers still need.
   *
   * @return values that they have requested and not received, {@link Long#MAX_VALUE} if a request
   *     is unbounded
   */
  public long unmetDemand() {
    return unmetDemand;
  }

  /**
   * Returns how many reservations succeeded.
   *
   * @return reservations that succeeded
   */
  public long reservations() {
    return reservations;
  }

  /**
   * Returns how many values were issued.
   *
   * @return values emitted, or claimed for a subscriber that is being served
   */
  public long issued() {
    return issued;
  }

  /**
   * Returns how many reserved values this generator will not issue.
   *
   * @return gaps, and values that were given back to the store
   */
  public long discarded() {
    return discarded;
  }

  /**
   * Returns the size of the next reservation.
   *
   * @return how many values a reservation obtains now if no subscriber waits. It changes with the
   *     demand if the generator is {@linkplain SequenceGeneratorBuilder#adaptive adaptive}. It is 0
   *     for a generator by name that is not made yet
   */
  public long batchSize() {
    return batchSize;
  }

  /**
   * Returns the number of buffered values at which the next block is reserved.
   *
   * @return the low watermark that applies now; 0 if no block is reserved before it is needed
   */
  public long lowWatermark() {
    return lowWatermark;
  }

  /**
   * Tells whether a reservation is under way.
   *
   * @return whether a request was sent to the store and is not answered yet
   */
  public boolean reservationInFlight() {
    return reservationInFlight;
  }

  /**
   * Returns why the latest attempt failed.
   *
   * @return why the latest attempt to reserve failed; null if it succeeded, or if there was no
   *     attempt yet
   */
  public @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /**
   * Tells whether reservations fail at present.
   *
   * @return whether the latest attempt failed and the next one is under way or waits for the
   *     backoff delay. Until it succeeds, only buffered values are issued. False again if the delay
   *     has passed and no subscriber waits: then it is not known whether the store works
   */
  public boolean failing() {
    return failing;
  }

  /**
   * Tells whether the generator is disposed.
   *
   * @return whether the generator is disposed
   */
  public boolean disposed() {
    return disposed;
  }

  /**
   * Returns how many values the sequence has left: those above the generator's latest block, up to
   * {@code maxValue}. Values that are buffered, here or in other processes, are not left; values to
   * skip count. It changes only when this generator reserves, so the values that other processes
   * have reserved since count, too.
   *
   * @return 0 or more; empty before the first reservation, and if the store is not {@linkplain
   *     SequenceStore#isOrdered() ordered} or returns explicit values
   */
  public OptionalLong remaining() {
    return left == null ? OptionalLong.empty() : OptionalLong.of(left.values());
  }

  /**
   * Returns which part of the values is {@linkplain #remaining() left}.
   *
   * @return from 0 to 1, of the values from 1, or from the start value of {@code createMissing}, up
   *     to {@code maxValue}; empty if it is unknown
   */
  public OptionalDouble remainingShare() {
    return left == null ? OptionalDouble.empty() : left.share();
  }

  /**
   * Returns the capacity alarm.
   *
   * @return the change that switched the {@linkplain SequenceGeneratorBuilder#capacityAlarm alarm}
   *     on, with the figures of that moment; null while the alarm is off
   */
  public CapacityAlarm.@Nullable Event capacityAlarm() {
    return left == null ? null : left.alarm();
  }

  private List<@Nullable Object> parts() {
    return Arrays.asList(
        sequence,
        buffered,
        waiters,
        unmetDemand,
        reservations,
        issued,
        discarded,
        batchSize,
        lowWatermark,
        reservationInFlight,
        lastFailure,
        failing,
        disposed,
        left);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SequenceGeneratorSnapshot snapshot && parts().equals(snapshot.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
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
        + (left == null ? "unknown" : left.values())
        + "]";
  }

  /** Collects the figures of a snapshot; each is 0, false or null until it is set. */
  static final class Builder {

    private final String sequence;
    private long buffered;
    private int waiters;
    private long unmetDemand;
    private long reservations;
    private long issued;
    private long discarded;
    private long batchSize;
    private long lowWatermark;
    private boolean reservationInFlight;
    private @Nullable Throwable lastFailure;
    private boolean failing;
    private boolean disposed;
    private CapacityWatch.@Nullable Left left;

    private Builder(String sequence) {
      this.sequence = Objects.requireNonNull(sequence, "sequence");
    }

    Builder buffered(long value) {
      buffered = value;
      return this;
    }

    Builder waiters(int value) {
      waiters = value;
      return this;
    }

    Builder unmetDemand(long value) {
      unmetDemand = value;
      return this;
    }

    Builder reservations(long value) {
      reservations = value;
      return this;
    }

    Builder issued(long value) {
      issued = value;
      return this;
    }

    Builder discarded(long value) {
      discarded = value;
      return this;
    }

    Builder batchSize(long value) {
      batchSize = value;
      return this;
    }

    Builder lowWatermark(long value) {
      lowWatermark = value;
      return this;
    }

    Builder reservationInFlight(boolean value) {
      reservationInFlight = value;
      return this;
    }

    Builder lastFailure(@Nullable Throwable value) {
      lastFailure = value;
      return this;
    }

    Builder failing(boolean value) {
      failing = value;
      return this;
    }

    Builder disposed(boolean value) {
      disposed = value;
      return this;
    }

    Builder left(CapacityWatch.@Nullable Left value) {
      left = value;
      return this;
    }

    SequenceGeneratorSnapshot build() {
      return new SequenceGeneratorSnapshot(this);
    }
  }
}
