package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DelayedAsyncTransactionManager;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The session of an attempt: a transaction manager of the client, which is closed once. */
final class HeldSession {

  private final AsyncTransactionManager manager;
  private final AtomicBoolean closed = new AtomicBoolean();

  HeldSession(AsyncTransactionManager manager) {
    this.manager = manager;
  }

  /**
   * Whether {@link #begin} blocks: while the client has not created its first session, its managers
   * wait for it in every method. They have no session of their own to give back.
   */
  boolean isDelayed() {
    return manager instanceof DelayedAsyncTransactionManager;
  }

  TransactionContextFuture begin(@Nullable AbortedException previous) {
    return previous == null ? manager.beginAsync() : manager.beginAsync(previous);
  }

  TransactionContextFuture beginAgain() {
    return manager.resetForRetryAsync();
  }

  /** Rolls back what was not committed, and gives the session back. Does not throw. */
  ApiFuture<Void> close() {
    if (!closed.compareAndSet(false, true)) {
      return ApiFutures.immediateFuture(null);
    }
    try {
      return manager.closeAsync();
    } catch (Throwable thrown) {
      return ApiFutures.immediateFailedFuture(thrown);
    }
  }
}
