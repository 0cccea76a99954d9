package io.millrace.insert;

/**
 * Records the events of a {@link RowWriter} as they happen. The number of waiting rows is in {@link
 * RowWriter#waiting()}.
 *
 * <p>Methods are called on the thread of the event. An implementation must be fast and thread-safe,
 * and must not block. Exceptions that it throws are dropped; the first is logged.
 */
public interface RowWriterMetricsRecorder {

  /** A recorder that records nothing. */
  RowWriterMetricsRecorder NONE = new RowWriterMetricsRecorder() {};

  /** The outcome of a row. */
  enum Outcome {
    /** It was written. */
    COMMITTED,
    /** It was not written: its function threw, it is too large, or the database rejected it. */
    REJECTED,
    /** It is unknown whether it was written. */
    UNKNOWN,
    /** It was not tried: as many rows as allowed were already waiting. */
    FULL,
    /** It was not tried: it waited too long for its transaction. */
    TIMED_OUT,
    /** It was not tried: the writer is disposed. */
    DISPOSED
  }

  /** Called once when a writer was created, by the thread that creates it. */
  default void opened(RowWriter<?> writer) {}

  /**
   * Called once when a disposed writer has delivered the outcomes of all accepted rows, before
   * {@link RowWriter#disposeLater()} completes. Rows of later calls are still reported as {@link
   * Outcome#DISPOSED}.
   */
  default void closed(RowWriter<?> writer) {}

  /**
   * Called when the rows of a call became part of a group.
   *
   * @param nanos how long they waited, in nanoseconds
   */
  default void waited(long nanos) {}

  /**
   * Called when the outcomes of a group are known, which takes several transactions if it was
   * retried, or split to find rows at fault.
   *
   * @param rows the number of rows in the group
   * @param nanos how long it took, in nanoseconds
   */
  default void written(int rows, long nanos) {}

  /**
   * Called when the outcome of rows is known. Rows that were cancelled while they waited are not
   * reported.
   */
  default void ended(Outcome outcome, int rows) {}
}
