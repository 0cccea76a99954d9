package io.millrace;

import io.millrace.internal.LogSafe;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a time limit is exceeded: by a subscriber that waits for a value ({@code
 * acquireTimeout}), or by an attempt to reserve a block ({@code reservationTimeout}).
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
   * Creates the failure of a subscriber that received no value within the acquire timeout.
   *
   * @param timeout the generator's {@code acquireTimeout}
   * @param lastFailure why the latest reservation failed, or null if none failed since the last
   *     success
   * @return the failure, with {@code lastFailure} as its cause
   */
  public static SequenceTimeoutException acquire(
      String sequence, Duration timeout, @Nullable Throwable lastFailure) {
    return new SequenceTimeoutException(
        sequence,
        "sequence "
            + LogSafe.quote(sequence)
            + " had no value within the acquireTimeout of "
            + timeout
            + (lastFailure == null
                ? "; no reservation has failed, so the store is slow, the blocks are too small, or"
                    + " the store waits for what the caller holds (a connection of the same pool, a"
                    + " lock): use separate connections for the store"
                : "; the latest reservation failed: " + reason(lastFailure)),
        timeout,
        lastFailure);
  }

  /**
   * Creates the failure of an attempt to reserve a block, or to read the counter.
   *
   * @param timeout the generator's {@code reservationTimeout}
   * @param lastFailure the store's latest failure since its last success, or null
   * @return the failure, with {@code lastFailure} as its cause
   */
  public static SequenceTimeoutException reservation(
      String sequence, Duration timeout, @Nullable Throwable lastFailure) {
    return new SequenceTimeoutException(
        sequence,
        "the store of sequence "
            + LogSafe.quote(sequence)
            + " did not answer within the reservationTimeout of "
            + timeout
            + "; it is slow or cannot be reached, or it waits for what the caller holds (a"
            + " connection of the same pool, a lock): use separate connections for the store, and"
            + " take values before a transaction"
            + (lastFailure == null ? "" : "; before, it failed with: " + reason(lastFailure)),
        timeout,
        lastFailure);
  }

  /** {@return the limit that was exceeded} */
  public Duration timeout() {
    return timeout;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
