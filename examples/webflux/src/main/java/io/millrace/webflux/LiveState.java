package io.millrace.webflux;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.ledger.SequenceAudit;
import java.util.List;

/**
 * What the page shows at one moment.
 *
 * @param seconds the time of this moment, on a clock that rises while the service runs
 * @param loading whether the load runs
 * @param cut whether the database is cut off
 * @param placed orders that the load placed
 * @param failed orders of the load that failed
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
    List<Sequence> sequences,
    boolean ledger,
    List<Holder> holders,
    LiveLoad.Keys keys) {

  /**
   * A generator.
   *
   * @param name the name of its sequence
   * @param buffered values in its buffer
   * @param waiting subscribers that wait
   * @param issued values issued
   * @param reservations reservations that succeeded
   * @param latencyMillis how long the last reservations took on average; 0 if there was none
   * @param failing whether its last reservation failed
   */
  record Sequence(
      String name,
      long buffered,
      int waiting,
      long issued,
      long reservations,
      double latencyMillis,
      boolean failing) {

    static Sequence of(SequenceGeneratorSnapshot snapshot, double latencyMillis) {
      return new Sequence(
          snapshot.name(),
          snapshot.buffered(),
          snapshot.waiters(),
          snapshot.issued(),
          snapshot.reservations(),
          latencyMillis,
          snapshot.failing());
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
