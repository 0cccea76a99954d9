package io.millrace;

import io.millrace.internal.ShownText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A limit of time was exceeded: a subscriber's wait for a value ({@code acquireTimeout}), or one
 * attempt to reserve a block ({@code reservationTimeout}).
 */
public final class SequenceTimeoutException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The time that passed. */
  private final Duration timeout;

  private SequenceTimeoutException(
      String sequence, String message, Duration timeout, @Nullable Throwable cause) {
    super(sequence, message, cause);
    this.timeout = timeout;
  }

  /**
   * A subscriber with unmet demand got no value within the acquire timeout.
   *
   * @param sequence the name of the sequence
   * @param timeout the generator's {@code acquireTimeout}
   * @param lastFailure why the latest reservation failed, or null if none failed since the last
   *     success
   * @param waitsForAdmission whether the generator's reservation waits for admission
   * @return the failure, with {@code lastFailure} as its cause
   */
  public static SequenceTimeoutException acquire(
      String sequence,
      Duration timeout,
      @Nullable Throwable lastFailure,
      boolean waitsForAdmission) {
    return new SequenceTimeoutException(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " had no value within the acquireTimeout of "
            + timeout
            + reason(lastFailure, waitsForAdmission),
        timeout,
        lastFailure);
  }

  private static String reason(@Nullable Throwable lastFailure, boolean waitsForAdmission) {
    if (lastFailure != null) {
      return "; the latest reservation failed: " + reason(lastFailure);
    }
    return waitsForAdmission
        ? "; its reservation waits for those of other sequences to end,"
            + " so the store is slow or maxConcurrentReservations too small"
        : "; no reservation has failed, so the store is slow, the blocks are too small, or the store"
            + " waits for what the caller holds (a connection of the same pool, a lock):"
            + " give it connections of its own";
  }

  /**
   * An attempt to reserve a block, or to read the counter, was not answered in time.
   *
   * @param sequence the name of the sequence
   * @param timeout the generator's {@code reservationTimeout}
   * @param lastFailure the store's latest failure since its last success, or null
   * @return the failure, with {@code lastFailure} as its cause
   */
  public static SequenceTimeoutException reservation(
      String sequence, Duration timeout, @Nullable Throwable lastFailure) {
    return new SequenceTimeoutException(
        sequence,
        "the store of sequence "
            + ShownText.quote(sequence)
            + " gave no answer within the reservationTimeout of "
            + timeout
            + "; it is slow or cannot be reached, or it waits for what the caller holds (a"
            + " connection of the same pool, a lock): give it connections of its own, and take"
            + " values before a transaction"
            + (lastFailure == null ? "" : "; before, it failed with: " + reason(lastFailure)),
        timeout,
        lastFailure);
  }

  /**
   * Returns the time that passed.
   *
   * @return the limit that was hit
   */
  public Duration timeout() {
    return timeout;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
