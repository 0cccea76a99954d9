package io.millrace.torture;

import io.millrace.SequenceGeneratorBuilder;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The number of values that processes take at a time, and the most that they may lose.
 *
 * @param scale 1 for the smallest blocks, which need the most reservations; all sizes are multiples
 *     of it
 */
record Sizes(int scale) {

  /** The most values that a subscriber requests at a time; 1 in the ordered mode. */
  int demand() {
    return 20 * scale;
  }

  /** More values than one subscription receives. */
  int longest() {
    return 400 * scale;
  }

  /** The most values that a generator keeps when no subscriber has cancelled. */
  private long buffer(Mode mode) {
    return switch (mode) {
      case ORDERED, TRANSACTIONAL, WRITER -> 0;
      case BATCH -> 100L * scale;
      case WATERMARK -> 100L * scale + watermark();
      case ADAPTIVE -> 2 * largestAdaptive();
      case NATIVE -> 50L * scale;
    };
  }

  private long watermark() {
    return 40L * scale;
  }

  private long largestAdaptive() {
    return 500L * scale;
  }

  /**
   * The most values that the death of a process turns into gaps. Subscribers that cancelled leave
   * what they had requested in the buffer, and a reservation is as large as the demand.
   *
   * @return empty if nothing is promised: an aborted transaction loses the values of a native
   *     sequence
   */
  OptionalLong largestLoss(Mode mode) {
    return switch (mode) {
      case NATIVE -> OptionalLong.empty();
      case TRANSACTIONAL, WRITER -> OptionalLong.of(0);
      default -> OptionalLong.of(buffer(mode) + 2 * demand(mode));
    };
  }

  private long demand(Mode mode) {
    return mode == Mode.ORDERED ? Mode.LANES : (long) Mode.LANES * demand();
  }

  /** The most values of one reservation. */
  long largestReservation(Mode mode) {
    return mode == Mode.ADAPTIVE ? largestAdaptive() : Math.max(buffer(mode), demand(mode));
  }

  /** Sets the sizes of blocks. */
  SequenceGeneratorBuilder set(Mode mode, SequenceGeneratorBuilder builder) {
    return switch (mode) {
      case ORDERED -> builder.blockSize(1);
      case WATERMARK -> builder.blockSize(buffer(mode) - watermark()).lowWatermark(watermark());
      case ADAPTIVE -> builder.adaptive(10L * scale, largestAdaptive(), Duration.ofSeconds(1));
      case BATCH, NATIVE -> builder.blockSize(buffer(mode));
      case TRANSACTIONAL, WRITER -> throw new IllegalStateException("no generator for " + mode);
    };
  }
}
