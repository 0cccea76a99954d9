package io.millrace.spanner;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/**
 * What one transaction keeps over all its attempts: its places in the queues of counters. An
 * attempt that is repeated keeps its turn, so the next transaction of this process does not meet
 * the same conflict. But a turn that it took when its work was done ends with the attempt: the
 * others do not wait until the work is done again.
 */
final class TransactionScope {

  /** Whether a turn was taken after the work. Set by the attempt, read when it is over. */
  private volatile boolean late;

  private final Map<CounterQueue, CompletableFuture<Void>> turns = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /**
   * Completes when it is this transaction's turn. Enters the queue at the first subscription.
   *
   * @param workDone whether the work of the attempt is done
   */
  Mono<Void> turn(CounterQueue queue, boolean workDone) {
    return Mono.defer(
        () -> {
          if (workDone) {
            late = true;
          }
          return Mono.fromFuture(
              turns.computeIfAbsent(queue, entered -> entered.enter(over)), true);
        });
  }

  /** The scope of the next attempt. */
  TransactionScope next() {
    if (!late) {
      return this;
    }
    end();
    return new TransactionScope();
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
