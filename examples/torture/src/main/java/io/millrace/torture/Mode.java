package io.millrace.torture;

import io.millrace.SequenceGeneratorBuilder;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;

/** The ways to take values. Each has a sequence of its own, which starts at 1. */
enum Mode {
  /** Reservations as large as the demand; values rise over all processes. */
  ORDERED(0),
  /** Blocks of a fixed size. */
  BATCH(100),
  /** Blocks of a fixed size, the next reserved ahead. */
  WATERMARK(140),
  /** Block and watermark follow the consumption. */
  ADAPTIVE(2 * Mode.LARGEST_ADAPTIVE),
  /** Blocks from one of several rows. */
  STRIPED(50),
  /** Blocks of Spanner's own sequence. */
  NATIVE(50),
  /** Numbers taken in the transaction that inserts a row. */
  TRANSACTIONAL(0);

  /** How many subscribers a process has at a time, in each mode. */
  static final int LANES = 2;

  /** The most values that a subscriber requests at a time; 1 in the ordered mode. */
  static final int DEMAND = 20;

  private static final long LARGEST_ADAPTIVE = 500;

  private final long buffer;

  /**
   * @param buffer the most values that a generator keeps when no subscriber has cancelled
   */
  Mode(long buffer) {
    this.buffer = buffer;
  }

  String sequence() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a request is recorded with the times of its start and its end. */
  boolean isTimed() {
    return this == ORDERED || this == TRANSACTIONAL;
  }

  /** Whether the values of one subscription rise. */
  boolean risesInSubscription() {
    return this == BATCH || this == WATERMARK || this == ADAPTIVE;
  }

  /** Whether values are 1, 2, 3 and so on, apart from gaps. */
  boolean isDense() {
    return this != NATIVE && this != STRIPED;
  }

  /** Whether values can be given back to the store, so that the counter moves back. */
  boolean isReleasable() {
    return this != NATIVE && this != TRANSACTIONAL;
  }

  /**
   * The most values that the death of a process turns into gaps. Subscribers that cancelled leave
   * what they had requested in the buffer, and a reservation is as large as the demand.
   *
   * @return empty if nothing is promised: an aborted transaction loses the values of a native
   *     sequence
   */
  OptionalLong largestLoss() {
    return switch (this) {
      case NATIVE -> OptionalLong.empty();
      case TRANSACTIONAL -> OptionalLong.of(0);
      default -> OptionalLong.of(buffer + 2 * demand());
    };
  }

  private long demand() {
    return this == ORDERED ? LANES : (long) LANES * DEMAND;
  }

  /** The most values of one reservation. */
  long largestReservation() {
    return this == ADAPTIVE ? LARGEST_ADAPTIVE : Math.max(buffer, demand());
  }

  /** Sets the sizes of blocks. */
  SequenceGeneratorBuilder sized(SequenceGeneratorBuilder builder) {
    return switch (this) {
      case ORDERED -> builder.batchSize(1);
      case WATERMARK -> builder.batchSize(buffer - 40).lowWatermark(40);
      case ADAPTIVE -> builder.adaptive(10, LARGEST_ADAPTIVE, Duration.ofSeconds(1));
      case BATCH, STRIPED, NATIVE -> builder.batchSize(buffer);
      case TRANSACTIONAL -> throw new IllegalStateException("no generator for " + this);
    };
  }
}
