package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.millrace.internal.ConflictRetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction keeps over all its attempts: its latest abort, and its places in the queues
 * of counters. An attempt that is repeated keeps its turn, so the next transaction of this process
 * does not meet the same conflict.
 *
 * <p>A retry begins a new transaction <em>from</em> the aborted one, and so keeps its priority on
 * multiplexed sessions. On other sessions the client ignores the aborted one. The retry begins only
 * after the server's delay plus a random wait. Restarting in the same transaction at once makes
 * contending transactions abort each other without end.
 */
final class TransactionScope implements ConflictRetry.Conflicts<AbortedException> {

  private record Counter(CounterQueues queues, String name) {}

  private final Object lock = new Object();

  /** The turns at the counters whose queues this transaction has entered. */
  @GuardedBy("lock")
  private final Map<Counter, CompletableFuture<Void>> turns = new HashMap<>();

  /** Completed when the turns end. */
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /** Used by one attempt at a time, or by the wait between two. */
  private @Nullable AbortedException latestAbort;

  @Nullable AbortedException latestAbort() {
    return latestAbort;
  }

  @Override
  public @Nullable AbortedException in(Throwable failure) {
    if (!(failure instanceof AttemptAborted aborted)) {
      return null;
    }
    latestAbort = aborted.abort();
    return latestAbort;
  }

  @Override
  public Duration delayAfter(AbortedException abort) {
    return Duration.ofMillis(Math.max(0, abort.getRetryDelayInMillis()));
  }

  /**
   * Enters the queues of some counters, unless this transaction is there already. Completes when it
   * is its turn at all of them.
   */
  CompletableFuture<Void> turn(CounterQueues queues, Collection<String> counters) {
    synchronized (lock) {
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

  /**
   * Ends the turns. The transaction is committed, rolled back or cancelled.
   *
   * <p>The next transaction in line may end within this call, and the one after it within that.
   */
  void end() {
    Trampoline.run(() -> over.complete(null));
  }
}
