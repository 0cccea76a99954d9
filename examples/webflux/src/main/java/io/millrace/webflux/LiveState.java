package io.millrace.webflux;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.ledger.SequenceAudit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows at one moment.
 *
 * @param seconds the time of this moment, on a clock that rises while the service runs
 * @param loading whether the load runs
 * @param cut whether the database is cut off
 * @param placed orders that the load placed
 * @param failed orders of the load that failed
 * @param outage what happened since the database was cut off, or during the last outage; null for
 *     none
 * @param sequences the generators
 * @param ledger whether the ledger is on
 * @param holders who reserved the blocks of the orders' sequence
 * @param keys where the keys of the last orders are
 */
record LiveState(
    double seconds,
    boolean loading,
    boolean cut,
    long placed,
    long failed,
    LiveOutage.@Nullable Counts outage,
    List<Sequence> sequences,
    boolean ledger,
    List<Holder> holders,
    LiveKeys.Counts keys) {

  /**
   * A generator.
   *
   * @param name the name of its sequence
   * @param buffered values in its buffer
   * @param waiting subscribers that wait
   * @param issued values issued
   * @param reservations reservations that succeeded
   * @param latencyMillis how long the last reservations took on average; 0 if there was none
   * @param condition how it does
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

  /** How a generator does. */
  enum Condition {
    GOOD,
    /** The database is cut off: there are only the values in the buffer. */
    CUT_OFF,
    /** The database is back, and the attempt that failed before is about to be repeated. */
    RECOVERING,
    /** The last reservation failed, and the next one is under way or about to begin. */
    FAILING,
    /** The last reservation failed, and the next one begins when a value is needed. */
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

  /**
   * A process in the ledger.
   *
   * @param name the process
   * @param blocks its reservations
   * @param values the values of these
   */
  record Holder(String name, long blocks, long values) {

    static Holder of(SequenceAudit.Use use) {
      return new Holder(use.holder().toString(), use.reservations(), use.values());
    }
  }
}
