package io.millrace.spanner;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Lets the transactions of this process take values of a gapless sequence one after the other.
 * Spanner lets only one of them have the counter's row at a time, and may abort the others, whose
 * work is then lost.
 *
 * <p>The queues only avoid conflicts. Uniqueness and order come from Spanner, which also serves the
 * transactions of other processes. So a transaction may always go on without its turn.
 *
 * <p>Each place completes after those before it. That is the queue of Craig ("Building FIFO and
 * Priority-Queuing Spin Locks from Atomic Swap", 1993), with a callback in place of the spinning. A
 * transaction enters the queues of all its counters in one step, with one place. So of two
 * transactions one is the first in all the queues that they share, and no two wait for each other.
 *
 * <p><b>Invariant.</b> {@link #last} has an entry for each counter that some transaction has or
 * waits for, and no other.
 */
final class CounterQueues {

  /** Spanner itself may abort a transaction that sends nothing for 10 seconds. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

  private final Duration longestTurn;

  /** Held while a transaction enters its queues. */
  private final Object lock = new Object();

  /** By counter, completes when all transactions that have entered its queue are over. */
  private final Map<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  CounterQueues() {
    this(LONGEST_TURN);
  }

  /**
   * @param longestTurn how long a transaction may keep the others waiting
   */
  CounterQueues(Duration longestTurn) {
    this.longestTurn = longestTurn;
  }

  /**
   * Adds a transaction at the end of the queues of some counters.
   *
   * @param counters the names of the counters
   * @param over completes when the transaction is over, also if it is before its turn
   * @return completes when it is the transaction's turn at all of them; must not be cancelled. The
   *     turn ends with the transaction, or at its time limit
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a place does not fail
  CompletableFuture<Void> enter(Collection<String> counters, CompletableFuture<Void> over) {
    CompletableFuture<Void> turn;
    CompletableFuture<Void> place;
    synchronized (lock) {
      turn = after(counters);
      // Futures made from futures complete in a loop, so a long queue needs no deep stack.
      place = turn.thenCompose(begun -> limited(over));
      counters.forEach(counter -> last.put(counter, place));
    }
    place.thenRun(() -> counters.forEach(counter -> last.remove(counter, place)));
    return turn;
  }

  /** Completes when all that have entered these queues are over. */
  private CompletableFuture<Void> after(Collection<String> counters) {
    return all(counters.stream().map(last::get).filter(Objects::nonNull).distinct().toList());
  }

  /** Completes when all of these have. */
  static CompletableFuture<Void> all(Collection<CompletableFuture<Void>> futures) {
    return futures.size() == 1
        ? futures.iterator().next()
        : CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> limited(CompletableFuture<Void> over) {
    return over.isDone()
        ? over
        : over.copy().completeOnTimeout(null, longestTurn.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** For tests: how many counters have a queue. */
  int size() {
    return last.size();
  }
}
