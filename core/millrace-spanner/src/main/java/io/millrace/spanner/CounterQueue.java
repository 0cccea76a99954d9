package io.millrace.spanner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Lets the transactions of this process take values of one gapless sequence one after the other.
 * Spanner lets only one of them have the counter's row at a time, and may abort the others, whose
 * work is then lost.
 *
 * <p>The queue only avoids conflicts. Uniqueness and order come from Spanner, which also serves the
 * transactions of other processes. So a transaction may always go on without its turn.
 *
 * <p>Each place completes after the one before it. That is the queue of Craig ("Building FIFO and
 * Priority-Queuing Spin Locks from Atomic Swap", 1993), with a callback in place of the spinning.
 */
final class CounterQueue {

  /** Spanner itself may abort a transaction that sends nothing for 10 seconds. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

  private final Duration longestTurn;
  private final Object lock = new Object();

  /** Completes when all transactions that have entered are over. */
  @GuardedBy("lock")
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  CounterQueue() {
    this(LONGEST_TURN);
  }

  /**
   * @param longestTurn how long a transaction may keep the others waiting
   */
  CounterQueue(Duration longestTurn) {
    this.longestTurn = longestTurn;
  }

  /**
   * Adds a transaction at the end of the queue.
   *
   * @param over completes when the transaction is over, also if it is before its turn
   * @return completes when it is the transaction's turn; must not be cancelled. The turn ends with
   *     the transaction, or at its time limit
   */
  CompletableFuture<Void> enter(CompletableFuture<Void> over) {
    synchronized (lock) {
      CompletableFuture<Void> turn = last;
      // Futures made from futures complete in a loop, so a long queue needs no deep stack. What is
      // thrown there, at the end of the stack for example, ends one turn only.
      last = turn.thenCompose(begun -> limited(over)).exceptionally(thrown -> null);
      return turn;
    }
  }

  private CompletableFuture<Void> limited(CompletableFuture<Void> over) {
    return over.isDone()
        ? over
        : over.copy().completeOnTimeout(null, longestTurn.toMillis(), TimeUnit.MILLISECONDS);
  }
}
