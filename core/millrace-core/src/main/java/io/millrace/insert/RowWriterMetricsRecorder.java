package io.millrace.insert;

/**
 * Receives the events of a {@link RowWriter} as they happen. Gauges, such as the number of rows
 * that wait, are in {@link RowWriter#waiting()} instead.
 *
 * <p>The calls come on the thread of the event, perhaps several at once. So an implementation must
 * be fast, safe for use by many threads, and must not block. What it throws is not passed on; the
 * first throw is logged.
 */
public interface RowWriterMetricsRecorder {

  /** A recorder that records nothing. */
  RowWriterMetricsRecorder NONE = new RowWriterMetricsRecorder() {};

  /** What became of a row. */
  enum Outcome {
    /** It was written. */
    COMMITTED,
    /** It was not written: its function threw, it is too large, or the database did not take it. */
    REJECTED,
    /** It is not known whether it was written. */
    UNKNOWN,
    /** It was not tried: as many rows waited as may wait. */
    FULL,
    /** It was not tried: it waited for its transaction as long as it may wait. */
    TIMED_OUT,
    /** It was not tried: the writer is disposed. */
    DISPOSED
  }

  /**
   * A writer was made. Called once for each writer, by the thread that makes it.
   *
   * @param writer the writer
   */
  default void opened(RowWriter<?> writer) {}

  /**
   * A disposed writer has told the callers of all accepted rows. Called once for each writer that
   * is disposed, before {@link RowWriter#disposeLater()} completes. Rows of later calls are still
   * reported as {@link Outcome#DISPOSED}.
   *
   * @param writer the writer
   */
  default void closed(RowWriter<?> writer) {}

  /**
   * The rows of a call became part of a group.
   *
   * @param nanos how long they waited, in nanoseconds
   */
  default void waited(long nanos) {}

  /**
   * It is known what became of the rows of a group. With retries, and if it was split to find rows
   * at fault, that took several transactions.
   *
   * @param rows how many rows the group had
   * @param nanos how long it took, in nanoseconds
   */
  default void written(int rows, long nanos) {}

  /**
   * It is known what became of rows. Rows that a caller's cancel took out are not reported.
   *
   * @param outcome what became of them
   * @param rows how many
   */
  default void ended(Outcome outcome, int rows) {}
}
