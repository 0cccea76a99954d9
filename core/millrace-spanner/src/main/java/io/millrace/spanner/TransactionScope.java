package io.millrace.spanner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What one transaction keeps over all its attempts: its places in the queues of counters. An
 * attempt that is repeated keeps its turn, so the next transaction of this process does not meet
 * the same conflict. But if it took a turn when its work was done, its turns end with the attempt:
 * the others do not wait until the work is done again.
 */
final class TransactionScope {

  private record Counter(CounterQueues queues, String name) {}

  private final Object lock = new Object();

  /** Whether the current attempt has taken a turn after its work. */
  @GuardedBy("lock")
  private boolean late;

  @GuardedBy("lock")
  private boolean ended;

  /** The turns at the counters whose queues this transaction has entered. */
  @GuardedBy("lock")
  private final Map<Counter, CompletableFuture<Void>> turns = new HashMap<>();

  /** Completed when the turns end. */
  @GuardedBy("lock")
  private CompletableFuture<Void> over = new CompletableFuture<>();

  /**
   * Enters the queues of some counters, unless this transaction is there already. Completes when it
   * is its turn at all of them.
   *
   * @param workDone whether the work of the attempt is done
   */
  CompletableFuture<Void> turn(
      CounterQueues queues, Collection<String> counters, boolean workDone) {
    synchronized (lock) {
      late |= workDone;
      List<String> fresh = new ArrayList<>();
      Set<CompletableFuture<Void>> entered = new HashSet<>();
      for (String name : counters) {
        CompletableFuture<Void> turn = turns.get(new Counter(queues, name));
        if (turn == null) {
          fresh.add(name);
        } else {
          entered.add(turn);
        }
      }
      if (!fresh.isEmpty()) {
        CompletableFuture<Void> turn = queues.enter(fresh, over);
        for (String name : fresh) {
          turns.put(new Counter(queues, name), turn);
        }
        entered.add(turn);
      }
      return CounterQueues.all(entered);
    }
  }

  /** Called between two attempts, also if the next one begins at once in the same session. */
  void endAttempt() {
    CompletableFuture<Void> attemptOver;
    synchronized (lock) {
      if (!late || ended) {
        return;
      }
      late = false;
      turns.clear();
      attemptOver = over;
      over = new CompletableFuture<>();
    }
    Trampoline.run(() -> attemptOver.complete(null));
  }

  /**
   * Ends the turns. The transaction is committed, rolled back or cancelled.
   *
   * <p>The next transaction in line may end within this call, and the one after it within that.
   */
  void end() {
    CompletableFuture<Void> last;
    synchronized (lock) {
      ended = true;
      last = over;
    }
    Trampoline.run(() -> last.complete(null));
  }
}
