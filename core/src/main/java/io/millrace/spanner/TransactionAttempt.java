package io.millrace.spanner;

import com.google.api.core.ApiFutures;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.CommitTimestampFuture;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DelayedAsyncTransactionManager;
import com.google.cloud.spanner.TransactionContext;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * One attempt at a transaction: begin, body, hooks, commit, or else rollback.
 *
 * <p>The {@link Phase} decides who ends it. It leaves {@code OPEN} once, by compare-and-set: to
 * {@code COMMITTING}, after which only the commit's answer ends it, or to {@code ENDED}, after
 * which nothing can commit. So a cancel either prevents the commit or comes too late, never both.
 */
final class TransactionAttempt {

  private enum Phase {
    OPEN,
    COMMITTING,
    /** The commit was aborted since no statement had begun the transaction; another try follows. */
    STARTING_OVER,
    ENDED
  }

  /** How long an error of the body waits for the rollback to be answered. */
  private static final Duration ROLLBACK_LIMIT = Duration.ofSeconds(10);

  private final AsyncTransactionManager manager;
  private final TransactionContextFuture begin;
  private final AsyncTransactionStep<Void, TransactionContext> begun;
  private final BeginGate gate;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);

  /** Set by the thread that cancels. */
  private volatile boolean abandoned;

  /** Set by the thread that begins the attempt, before the body is called. */
  private volatile @Nullable AttemptTransaction transaction;

  private TransactionAttempt(
      AsyncTransactionManager manager, TransactionContextFuture begin, boolean explicit) {
    this.manager = manager;
    this.begin = begin;
    this.begun =
        begin.then(
            (context, nothing) -> ApiFutures.immediateFuture(context),
            MoreExecutors.directExecutor());
    this.gate = new BeginGate(explicit);
  }

  /**
   * Opens an attempt, from the aborted one if there is one.
   *
   * <p>While the client has not created its first session it hands out managers that block; they
   * are used on a thread that may be blocked.
   */
  static Mono<TransactionAttempt> open(
      DatabaseClient client,
      SpannerTransactionOptions options,
      @Nullable AbortedException previous) {
    AsyncTransactionManager manager = client.transactionManagerAsync(options.toClientOptions());
    Mono<TransactionAttempt> attempt =
        Mono.fromCallable(
            () ->
                new TransactionAttempt(
                    manager,
                    previous == null ? manager.beginAsync() : manager.beginAsync(previous),
                    false));
    return manager instanceof DelayedAsyncTransactionManager
        ? attempt.subscribeOn(Schedulers.boundedElastic())
        : attempt;
  }

  /**
   * Runs the body and commits.
   *
   * @return what came of it, after the commit. Errors: {@link AttemptAborted} if Spanner aborted
   *     the transaction, {@link CommitOutcomeUnknownException}, or what the body or Spanner report
   */
  <T> Mono<CommittedTransaction<T>> run(
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    return FutureMono.detached(() -> begun)
        .flatMap(context -> runBody(context, body))
        .onErrorResume(failure -> afterFailure(failure, body))
        .doOnCancel(this::cancelled);
  }

  private <T> Mono<CommittedTransaction<T>> runBody(
      TransactionContext context, Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    AttemptTransaction handle = new AttemptTransaction(context, gate);
    transaction = handle;
    return Objects.requireNonNull(
            body.apply(handle), "the body of the transaction returned null instead of a Mono")
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            result ->
                handle
                    .runHooks()
                    .then(commit(handle))
                    .map(timestamp -> new CommittedTransaction<>(result, timestamp)));
  }

  private Mono<Timestamp> commit(AttemptTransaction handle) {
    return Mono.defer(
        () -> {
          AbortedException aborted = handle.aborted();
          if (aborted != null) {
            return Mono.error(aborted);
          }
          if (!phase.compareAndSet(Phase.OPEN, Phase.COMMITTING)) {
            return Mono.never(); // cancelled: nobody listens any more
          }
          handle.end();
          CommitTimestampFuture commit = begun.commitAsync();
          FutureMono.whenDone(commit, this::commitAnswered);
          return FutureMono.detached(() -> commit).onErrorMap(CommitFailures::classify);
        });
  }

  /** Whoever listens or not, the session goes back when the commit is answered. */
  private void commitAnswered(@Nullable Throwable failure) {
    if (failure instanceof AbortedException && gate.isFailed()) {
      phase.set(Phase.STARTING_OVER);
      if (abandoned) { // perhaps before that, and then nobody else closes
        closeUnlessStartedOver();
      }
    } else {
      phase.set(Phase.ENDED);
      manager.closeAsync();
    }
  }

  private void closeUnlessStartedOver() {
    if (phase.compareAndSet(Phase.STARTING_OVER, Phase.ENDED)) {
      manager.closeAsync();
    }
  }

  private <T> Mono<CommittedTransaction<T>> afterFailure(
      Throwable failure, Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    AbortedException abort = abortOf(failure);
    if (abort == null) {
      return rollBack().then(Mono.error(failure));
    }
    Phase before = failure instanceof AttemptAborted ? Phase.STARTING_OVER : Phase.OPEN;
    if (gate.isFailed() && phase.compareAndSet(before, Phase.ENDED)) {
      return beginExplicitly(abort).run(body);
    }
    return rollBack().then(Mono.error(new AttemptAborted(abort)));
  }

  /** The abort of this attempt's own transaction, whatever the body made of it; or null. */
  private @Nullable AbortedException abortOf(Throwable failure) {
    if (failure instanceof AttemptAborted committing) {
      return committing.abort();
    }
    AttemptTransaction handle = transaction;
    if (handle == null) {
      return failure instanceof AbortedException atBegin ? atBegin : null;
    }
    return handle.aborted();
  }

  /**
   * Starts over after the first statement failed and the body went on: the client aborts such a
   * transaction, because it was never begun, and expects it to be begun by a request of its own.
   */
  private TransactionAttempt beginExplicitly(AbortedException abort) {
    AttemptTransaction handle = transaction;
    if (handle != null) {
      handle.end();
    }
    // The manager starts over only when it knows of the abort, and learns that from a failed step.
    begin.then(
        (context, nothing) -> ApiFutures.immediateFailedFuture(abort),
        MoreExecutors.directExecutor());
    return new TransactionAttempt(manager, manager.resetForRetryAsync(), true);
  }

  /**
   * Ends an attempt that did not get as far as its commit; otherwise does nothing. Completes when
   * the server has rolled back, so that a transaction started next does not meet this one, or when
   * that takes too long.
   */
  private Mono<Void> rollBack() {
    return Mono.defer(
        () -> {
          if (!phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            return Mono.empty();
          }
          AttemptTransaction handle = transaction;
          if (handle == null || gate.isPending()) {
            close(handle); // there may be no answer to wait for
            return Mono.empty();
          }
          handle.end();
          return FutureMono.detached(manager::closeAsync)
              .then()
              .timeout(ROLLBACK_LIMIT, Mono.empty())
              .onErrorResume(failed -> Mono.empty());
        });
  }

  private void cancelled() {
    abandoned = true;
    if (phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
      close(transaction);
    }
    closeUnlessStartedOver();
  }

  /** Closes without waiting; a first statement in flight is answered before it is rolled back. */
  private void close(@Nullable AttemptTransaction handle) {
    if (handle != null) {
      handle.end();
    }
    if (gate.isPending()) {
      gate.answered().subscribe(null, null, manager::closeAsync);
    } else {
      manager.closeAsync();
    }
  }
}
