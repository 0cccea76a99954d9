package io.millrace;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
   * @return values reserved, and neither claimed for a subscriber nor discarded
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
   * Returns how many values are asked for and not given.
   *
   * @return values those subscribers have requested and not been given, {@link Long#MAX_VALUE} if
   *     one of them has requested without bound
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
   * Returns how many values were given.
   *
   * @return values emitted, or claimed for a subscriber that is being served
   */
  public long issued() {
    return issued;
  }

  /**
   * Returns how many values nobody will be given.
   *
   * @return values reserved that nobody will be given by this generator: gaps, and what was given
   *     back to the store
   */
  public long discarded() {
    return discarded;
  }

  /**
   * Returns the size of the next reservation.
   *
   * @return how many values a reservation obtains now when nobody waits; changes with the use if
   *     the generator is {@linkplain SequenceGeneratorBuilder#adaptive adaptive}; 0 of a generator
   *     that is looked up by name and not made yet
   */
  public long batchSize() {
    return batchSize;
  }

  /**
   * Returns when the next block is reserved.
   *
   * @return how many values are left in the buffer now when the next block is reserved; 0 if none
   *     is reserved ahead of need
   */
  public long lowWatermark() {
    return lowWatermark;
  }

  /**
   * Tells whether a reservation is under way.
   *
   * @return whether the store has been asked and has not answered
   */
  public boolean reservationInFlight() {
    return reservationInFlight;
  }

  /**
   * Returns why the latest attempt failed.
   *
   * @return why the latest attempt to reserve failed; null if it succeeded, or if there was none
   *     yet
   */
  public @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /**
   * Tells whether reservations fail at present.
   *
   * @return whether the latest attempt failed and another is to come: it is under way, or waits for
   *     the delay of the backoff. Until it succeeds nobody can have more than what is buffered.
   *     False again when a delay has passed and nobody waits: whether the store works then is not
   *     known
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
        disposed);
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
        + sequence
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
        + lastFailure
        + ", failing="
        + failing
        + ", disposed="
        + disposed
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

    SequenceGeneratorSnapshot build() {
      return new SequenceGeneratorSnapshot(this);
    }
  }
}
