package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DelayedAsyncTransactionManager;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The session of an attempt: a transaction manager of the client, which is closed once.
 *
 * <p><b>Invariant.</b> The manager is not closed while a request to begin is unanswered. The answer
 * comes on a thread of the client, when the pool has a session. If another thread closed the
 * manager at that moment, the manager would never return its session.
 *
 * <p>{@code closeAsync} hands the session to the next transaction that waits for one, before it
 * returns. If that transaction was cancelled or fails at once, it closes its own manager, and so
 * on. Managers are therefore closed one after the other: a few hundred nested calls would overflow
 * the stack within the client, which then loses the session.
 */
final class HeldSession {

  private final AsyncTransactionManager manager;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Completes when the latest request to begin is answered. */
  private volatile CompletableFuture<?> beginAnswered = CompletableFuture.completedFuture(null);

  HeldSession(AsyncTransactionManager manager) {
    this.manager = manager;
  }

  /**
   * Whether {@link #begin} blocks. Until the client has created its first session, every method of
   * its managers waits for that session. Such a manager has no session to return.
   */
  boolean isDelayed() {
    return manager instanceof DelayedAsyncTransactionManager;
  }

  TransactionContextFuture begin(@Nullable AbortedException previous) {
    return remember(previous == null ? manager.beginAsync() : manager.beginAsync(previous));
  }

  TransactionContextFuture beginAgain() {
    return remember(manager.resetForRetryAsync());
  }

  private TransactionContextFuture remember(TransactionContextFuture future) {
    CompletableFuture<?> answered = new CompletableFuture<>();
    beginAnswered = answered;
    ClientRequest.whenDone(() -> future, (context, failure) -> answered.complete(null));
    return future;
  }

  /**
   * Rolls back an uncommitted transaction and returns the session, as soon as the manager may be
   * closed. Completes when that is answered, whatever the answer.
   */
  CompletableFuture<Void> close() {
    return beginAnswered.thenCompose(any -> closeNow());
  }

  private CompletableFuture<Void> closeNow() {
    CompletableFuture<Void> back = new CompletableFuture<>();
    if (closed.compareAndSet(false, true)) {
      Trampoline.run(
          () ->
              ClientRequest.whenDone(
                  manager::closeAsync, (nothing, failure) -> back.complete(null)));
    } else {
      back.complete(null);
    }
    return back;
  }
}
