package io.millrace.webflux;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that the live page shows.
 *
 * @param seconds the time of this state, on a monotonic clock of the service
 * @param loading whether the load runs
 * @param placed the number of orders that the load placed
 * @param failed the number of orders of the load that failed
 * @param outage the counts since the database was cut off; null if it is not
 * @param sequences the generators
 * @param keys the positions of the keys of the last orders
 */
record LiveState(
    double seconds,
    boolean loading,
    long placed,
    long failed,
    @Nullable Outage outage,
    List<Sequence> sequences,
    KeySpread.Counts keys) {

  /**
   * What happened since the database was cut off.
   *
   * @param issued the number of ids issued
   * @param failed the number of orders of the load that failed
   */
  record Outage(long issued, long failed) {}

  /**
   * A generator.
   *
   * @param buffered the number of values in its buffer
   * @param waiting the number of waiting subscribers
   * @param issued the number of values issued
   * @param reservations the number of successful reservations
   * @param latencyMillis the mean time of its reservations
   * @param failing whether the last reservation failed, and the next one is under way
   */
  record Sequence(
      String name,
      long buffered,
      int waiting,
      long issued,
      long reservations,
      double latencyMillis,
      boolean failing) {}
}
