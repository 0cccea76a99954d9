package io.millrace.spanner;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DelayedAsyncTransactionManager;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The session of an attempt: a transaction manager of the client, which is closed once.
 *
 * <p><b>Invariant.</b> The manager is not closed while a request to begin is unanswered. The answer
 * comes on a thread of the client, when the pool has a session. If another thread closed the
 * manager at that moment, the manager would never give its session back.
 *
 * <p>{@code closeAsync} hands the session to the next transaction that waits for one, before it
 * returns. If that transaction was cancelled or fails at once, it closes its own manager, and so
 * on. Managers are therefore closed one after the other: a few hundred nested calls would overflow
 * the stack within the client, which then loses the session.
 */
final class HeldSession {

  private final AsyncTransactionManager manager;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The latest request to begin, or null. */
  private volatile @Nullable TransactionContextFuture lastBegin;

  HeldSession(AsyncTransactionManager manager) {
    this.manager = manager;
  }

  /**
   * Whether {@link #begin} blocks. Until the client has created its first session, every method of
   * its managers waits for that session. Such a manager has no session to give back.
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
    lastBegin = future;
    return future;
  }

  /**
   * Rolls back an uncommitted transaction and gives the session back, as soon as the manager may be
   * closed. Does not throw.
   */
  ApiFuture<Void> close() {
    TransactionContextFuture request = lastBegin;
    if (request == null || request.isDone()) {
      return closeNow();
    }
    return ApiFutures.transformAsync(answered(request), known -> closeNow(), directExecutor());
  }

  /** Completes when the request is answered, whatever the answer. */
  private static ApiFuture<Boolean> answered(TransactionContextFuture request) {
    return ApiFutures.catching(
        ApiFutures.transform(request, context -> true, directExecutor()),
        Throwable.class,
        failure -> false,
        directExecutor());
  }

  private ApiFuture<Void> closeNow() {
    if (!closed.compareAndSet(false, true)) {
      return ApiFutures.immediateFuture(null);
    }
    SettableApiFuture<Void> back = SettableApiFuture.create();
    Trampoline.run(() -> closeManager(back));
    return back;
  }

  private void closeManager(SettableApiFuture<Void> back) {
    ApiFuture<Void> closing;
    try {
      closing = manager.closeAsync();
    } catch (RuntimeException thrown) {
      back.setException(thrown);
      return;
    }
    FutureMono.whenDone(
        closing,
        failure -> {
          if (failure == null) {
            back.set(null);
          } else {
            back.setException(failure);
          }
        });
  }
}
