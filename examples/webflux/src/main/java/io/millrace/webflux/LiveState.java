package io.millrace.webflux;

import io.millrace.SequenceGeneratorSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that the page shows.
 *
 * @param seconds the time of this state, on a monotonic clock of the service
 * @param loading whether the load runs
 * @param cut whether the database is cut off
 * @param placed the number of orders that the load placed
 * @param failed the number of orders of the load that failed
 * @param outage the counts since the database was cut off, or during the last outage; null if there
 *     was none
 * @param sequences the generators
 * @param keys the positions of the keys of the last orders
 */
record LiveState(
    double seconds,
    boolean loading,
    boolean cut,
    long placed,
    long failed,
    LiveOutage.@Nullable Counts outage,
    List<Sequence> sequences,
    LiveKeys.Counts keys) {

  /**
   * A generator.
   *
   * @param name the name of its sequence
   * @param buffered the number of values in its buffer
   * @param waiting the number of waiting subscribers
   * @param issued the number of values issued
   * @param reservations the number of successful reservations
   * @param latencyMillis the mean time of the last reservations; 0 if there was none
   * @param condition its condition
   */
  record Sequence(
      String name,
      long buffered,
      int waiting,
      long issued,
      long reservations,
      double latencyMillis,
      Condition condition) {

    static Sequence of(SequenceGeneratorSnapshot snapshot, boolean cut, double latencyMillis) {
      return new Sequence(
          snapshot.name(),
          snapshot.buffered(),
          snapshot.waiters(),
          snapshot.issued(),
          snapshot.reservations(),
          latencyMillis,
          Condition.of(snapshot, cut));
    }
  }

  /** The condition of a generator. */
  enum Condition {
    GOOD,
    /** The database is cut off: only the values in the buffer are available. */
    CUT_OFF,
    /** The database is back, and the failed attempt is about to be retried. */
    RECOVERING,
    /** The last reservation failed, and the next one is running or about to start. */
    FAILING,
    /** The last reservation failed, and the next one starts when a value is needed. */
    UNKNOWN;

    static Condition of(SequenceGeneratorSnapshot snapshot, boolean cut) {
      Throwable failure = snapshot.lastFailure();
      if (cut) {
        return CUT_OFF;
      } else if (failure == null) {
        return GOOD;
      } else if (DatabaseSwitch.isCauseOf(failure)) {
        return snapshot.failing() ? RECOVERING : GOOD; // nothing is left of the cause
      } else {
        return snapshot.failing() ? FAILING : UNKNOWN;
      }
    }
  }
}
