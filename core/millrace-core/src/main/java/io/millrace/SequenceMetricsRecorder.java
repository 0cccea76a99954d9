package io.millrace;

/**
 * Receives the events of generators as they happen. Gauges, such as the number of buffered values,
 * are in {@link SequenceGenerator#snapshot()} instead. There is no call for an issued value,
 * because that is the hot path; the snapshot derives the number.
 *
 * <p>One recorder may serve any number of generators, also several of the same name: of two stores,
 * or one that shuts down while its successor works already. {@link #opened} and {@link #closed}
 * tell them apart; the other calls only name the sequence.
 *
 * <p>The calls come on the thread of the event. So an implementation must be fast, safe for use by
 * many threads, and must not block. What it throws is not passed on; the first throw is logged.
 */
public interface SequenceMetricsRecorder {

  /** A recorder that records nothing. */
  SequenceMetricsRecorder NONE = new SequenceMetricsRecorder() {};

  /**
   * A generator was built. From now on its {@linkplain SequenceGenerator#snapshot() snapshot} may
   * be read. Called once for each generator, by the thread that builds it.
   *
   * @param generator the generator
   */
  default void opened(SequenceGenerator generator) {}

  /**
   * The shutdown of a generator is complete: nothing is in flight, and the figures of its snapshot
   * are final. There are two exceptions: values that a subscriber still holds in a claim, and a
   * block that comes after its timeout. They may become gaps later, and are then reported as {@link
   * #discarded}. Called once for each generator that is disposed, before {@link
   * SequenceGenerator#disposeLater()} completes; never for one that is not.
   *
   * @param generator the generator
   */
  default void closed(SequenceGenerator generator) {}

  /**
   * A reservation succeeded.
   *
   * @param sequence the name of the sequence
   * @param size how many values it obtained
   * @param nanos how long the store took, in nanoseconds
   */
  default void reserved(String sequence, long size, long nanos) {}

  /**
   * An attempt to reserve failed.
   *
   * @param sequence the name of the sequence
   * @param nanos how long it took to fail, in nanoseconds
   * @param failure why
   */
  default void reservationFailed(String sequence, long nanos, Throwable failure) {}

  /**
   * A subscriber that had to wait received values.
   *
   * @param sequence the name of the sequence
   * @param nanos how long it waited, in nanoseconds
   */
  default void waited(String sequence, long nanos) {}

  /**
   * A subscriber was refused because the line was full.
   *
   * @param sequence the name of the sequence
   */
  default void waiterRejected(String sequence) {}

  /**
   * A subscriber waited for {@code acquireTimeout} and got no value.
   *
   * @param sequence the name of the sequence
   */
  default void waiterTimedOut(String sequence) {}

  /**
   * Reserved values became a gap.
   *
   * @param sequence the name of the sequence
   * @param count how many
   */
  default void discarded(String sequence, long count) {}

  /**
   * Reserved values were given back to the store.
   *
   * @param sequence the name of the sequence
   * @param count how many
   */
  default void released(String sequence, long count) {}
}
