package io.millrace;

/**
 * Records the events of generators as they happen. Gauges, such as the number of buffered values,
 * are in {@link SequenceGenerator#snapshot()}. So is the number of issued values, because recording
 * each would slow the hot path.
 *
 * <p>One recorder may serve any number of generators, also several of the same name: from two
 * stores, or one that is shutting down while its successor is already in use. {@link #opened} and
 * {@link #closed} distinguish them; the other methods receive only the name of the sequence.
 *
 * <p>Methods are called on the thread of the event. An implementation must be fast and thread-safe,
 * and must not block. Exceptions that it throws are dropped; the first is logged.
 */
public interface SequenceMetricsRecorder {

  /** A recorder that records nothing. */
  SequenceMetricsRecorder NONE = new SequenceMetricsRecorder() {};

  /**
   * Called once when a generator was built, by the thread that builds it. From then on, its
   * {@linkplain SequenceGenerator#snapshot() snapshot} may be read.
   */
  default void opened(SequenceGenerator generator) {}

  /**
   * Called once when the shutdown of a generator is complete, before {@link
   * SequenceGenerator#disposeLater()} completes: nothing is in flight, and the figures of its
   * snapshot are final. Two kinds of values may still become gaps later, and are then reported as
   * {@link #discarded}: those that a subscriber has claimed, and those of a block that arrives
   * after its timeout.
   */
  default void closed(SequenceGenerator generator) {}

  /**
   * Called when a reservation succeeded.
   *
   * @param size the number of values that it obtained
   * @param nanos how long the store took, in nanoseconds
   */
  default void reserved(String sequence, long size, long nanos) {}

  /**
   * Called when an attempt to reserve failed.
   *
   * @param nanos how long it took to fail, in nanoseconds
   */
  default void reservationFailed(String sequence, long nanos, Throwable failure) {}

  /**
   * Called when a subscriber that had to wait received values.
   *
   * @param nanos how long it waited, in nanoseconds
   */
  default void waited(String sequence, long nanos) {}

  /** Called when a subscriber was rejected because the line was full. */
  default void waiterRejected(String sequence) {}

  /** Called when a subscriber received no value within {@code acquireTimeout}. */
  default void waiterTimedOut(String sequence) {}

  /**
   * Called when reserved values became a gap.
   *
   * @param count the number of values
   */
  default void discarded(String sequence, long count) {}

  /**
   * Called when reserved values were released to the store.
   *
   * @param count the number of values
   */
  default void released(String sequence, long count) {}
}
