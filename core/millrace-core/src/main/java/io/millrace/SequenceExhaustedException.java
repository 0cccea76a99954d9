package io.millrace;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/** Thrown when a sequence has not enough values left. */
public final class SequenceExhaustedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** The next value of the counter. */
  private final long nextValue;

  /** The largest value that may be issued. */
  private final long limit;

  /**
   * Creates the failure.
   *
   * @param nextValue the next value of the counter
   * @param size how many values were requested
   * @param limit the largest value that may be issued
   */
  public SequenceExhaustedException(String sequence, long nextValue, long size, long limit) {
    this(
        sequence,
        nextValue,
        size,
        limit,
        limit >= SequenceState.LARGEST_VALUE
            ? "move to another sequence"
            : "raise the limit, or move to another sequence",
        null);
  }

  /**
   * Creates the failure with a remedy and a cause.
   *
   * @param nextValue the next value of the counter
   * @param size how many values were requested
   * @param limit the largest value that may be issued
   * @param remedy what can be done about it, the end of the message
   * @param cause the database's own error, or null
   */
  public SequenceExhaustedException(
      String sequence,
      long nextValue,
      long size,
      long limit,
      String remedy,
      @Nullable Throwable cause) {
    super(
        sequence,
        "sequence "
            + LogSafe.quote(sequence)
            + " is exhausted: "
            + (nextValue > limit
                ? "no value is left, the next would be " + nextValue
                : "fewer than the " + size + " requested values are left from " + nextValue + " on")
            + ", and the limit is "
            + limit
            + "; "
            + remedy,
        cause);
    this.nextValue = nextValue;
    this.limit = limit;
  }

  /** {@return the next value of the counter, at or shortly before the end of the range} */
  public long nextValue() {
    return nextValue;
  }

  /** {@return the largest value that may be issued} */
  public long limit() {
    return limit;
  }
}
