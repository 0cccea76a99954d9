package io.millrace.spanner;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/**
 * What one transaction keeps over all its attempts: its places in the queues of counters. An
 * attempt that is repeated keeps its turn, so the next transaction of this process does not meet
 * the same conflict.
 */
final class TransactionScope {

  private final Map<CounterQueue, CompletableFuture<Void>> turns = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /** Completes when it is this transaction's turn. Enters the queue at the first subscription. */
  Mono<Void> turn(CounterQueue queue) {
    return Mono.defer(
        () -> Mono.fromFuture(turns.computeIfAbsent(queue, entered -> entered.enter(over)), true));
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
