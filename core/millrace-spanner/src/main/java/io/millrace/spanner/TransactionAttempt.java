package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.TransactionContext;
import com.google.common.util.concurrent.MoreExecutors;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.spi.TimeLimit;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * One attempt at a transaction: begin, body, commit, or else rollback.
 *
 * <p>The {@link Phase} decides which thread ends the attempt. It leaves {@code OPEN} once, by
 * compare-and-set: to {@code COMMITTING}, after which only the commit's answer ends the attempt, or
 * to {@code ENDED}, after which nothing can commit. So a cancel either prevents the commit or comes
 * too late, never both.
 *
 * <p>The thread that ends the attempt closes the manager, as soon as no request is under way that
 * may still begin a transaction in its session.
 */
final class TransactionAttempt {

  private enum Phase {
    /**
     * No request to begin was sent. Only the subscribing thread sends it, unless the attempt was
     * cancelled before.
     */
    NEW,
    OPEN,
    COMMITTING,
    /**
     * The commit was aborted because no statement had begun the transaction. The attempt is
     * repeated.
     */
    RESTARTING,
    /** The commit was answered otherwise. The session is closed. */
    ANSWERED,
    /** The transaction is rolled back, or was never begun. */
    ENDED
  }

  /** How long an error of the body is delayed until the rollback is answered. */
  private static final Duration ROLLBACK_LIMIT = Duration.ofSeconds(10);

  private final HeldSession session;
  private final TimeLimit limit;
  private final TransactionScope scope;
  private final boolean explicitBegin;
  private final StatementQueue statements;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

  /** Set by the thread that cancels. */
  private volatile boolean cancelled;

  /** Set by the thread that begins, before the phase is OPEN. */
  private volatile @Nullable TransactionContextFuture beginFuture;

  private volatile @Nullable AsyncTransactionStep<Void, TransactionContext> beginStep;

  /** Set by the thread that begins the attempt, before the body is called. */
  private volatile @Nullable AttemptTransaction transaction;

  private TransactionAttempt(
      HeldSession session, TimeLimit limit, TransactionScope scope, boolean explicitBegin) {
    this.session = session;
    this.limit = limit;
    this.scope = scope;
    this.explicitBegin = explicitBegin;
    this.statements = new StatementQueue(explicitBegin);
  }

  /**
   * Begins a transaction, from the scope's latest abort if there is one, runs the body and commits.
   * Creates the manager at once, or throws.
   *
   * @return the committed transaction, for one subscriber. Errors: {@link InsertTimeoutException}
   *     if the limit was exceeded before the commit was sent, {@link AttemptAborted} if Spanner
   *     aborted the transaction, {@link CommitOutcomeUnknownException}, or what the body or Spanner
   *     report
   */
  static <T> Mono<CommittedTransaction<T>> run(
      DatabaseClient client,
      SpannerTransactionOptions options,
      TimeLimit limit,
      TransactionScope scope,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    HeldSession session =
        new HeldSession(client.transactionManagerAsync(options.toClientOptions()));
    return new TransactionAttempt(session, limit, scope, false)
        .run(() -> session.begin(scope.latestAbort()), body);
  }

  private <T> Mono<CommittedTransaction<T>> run(
      Supplier<TransactionContextFuture> start,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    Mono<TransactionContext> begin =
        ClientRequest.<TransactionContext>of(() -> begin(start)).flux().single();
    Mono<TransactionContext> context =
        mayBlock() ? ClientRequest.ON_BLOCKABLE_THREAD.then(begin) : begin;
    return limit
        .limit(context.flatMap(known -> runBody(known, body)))
        .onErrorResume(
            failure ->
                afterFailure(
                    limit != TimeLimit.NONE && failure instanceof InsertTimeoutException over
                        ? afterTimeout(over)
                        : failure,
                    body))
        .doFinally(
            end -> {
              if (end == SignalType.CANCEL) { // the steps above report no error any more
                onCancel();
              }
            });
  }

  /** Called at subscription, even if that is cancelled already. */
  private ApiFuture<TransactionContext> begin(Supplier<TransactionContextFuture> start) {
    if (phase.get() != Phase.NEW) {
      closeBeforeBegin();
      return ApiFutures.immediateFailedFuture(new CancellationException());
    }
    AsyncTransactionStep<Void, TransactionContext> step;
    try {
      TransactionContextFuture future = start.get();
      step =
          future.then(
              (context, nothing) -> ApiFutures.immediateFuture(context),
              MoreExecutors.directExecutor());
      beginFuture = future;
      beginStep = step;
      if (explicitBegin) {
        ClientRequest.whenDone(() -> step, (context, failure) -> statements.beginAnswered());
      }
    } catch (RuntimeException thrown) {
      phase.set(Phase.ENDED);
      closeBeforeBegin();
      throw thrown;
    }
    if (!phase.compareAndSet(Phase.NEW, Phase.OPEN)) { // cancelled meanwhile
      close();
    }
    return step;
  }

  private void closeBeforeBegin() {
    if (!mayBlock()) { // otherwise closing blocks, and there is no session to return
      closeSession();
    }
  }

  /** Whether the client may have no session yet. It has one when an attempt restarts. */
  private boolean mayBlock() {
    return session.isDelayed() && !explicitBegin;
  }

  private <T> Mono<CommittedTransaction<T>> runBody(
      TransactionContext context, Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    AttemptTransaction handle = new AttemptTransaction(context, statements, scope);
    transaction = handle;
    if (phase.get() != Phase.OPEN) {
      return Mono.never(); // cancelled: no subscriber is left
    }
    Mono<Optional<T>> work =
        Mono.<T>defer(
                () ->
                    Objects.requireNonNull(
                        body.apply(handle),
                        "the body of the transaction returned null instead of a Mono"))
            .singleOptional()
            .doOnNext(result -> handle.writeCounters());
    return work.flatMap(
        result -> commit(handle).map(timestamp -> new CommittedTransaction<>(result, timestamp)));
  }

  /** Commits once no statement is under way that may still begin the transaction. */
  private Mono<Timestamp> commit(AttemptTransaction handle) {
    return Mono.fromFuture(statements::end, true)
        .then(
            Mono.defer(
                () -> {
                  AbortedException aborted = handle.aborted();
                  if (aborted != null) {
                    return Mono.error(aborted);
                  }
                  if (!phase.compareAndSet(Phase.OPEN, Phase.COMMITTING)) {
                    return Mono.never(); // cancelled: no subscriber is left
                  }
                  return sendCommit().onErrorMap(CommitFailures::classify);
                }));
  }

  private Mono<Timestamp> sendCommit() {
    return Flux.<Timestamp>create(
            sink -> {
              CompletableFuture<@Nullable Throwable> answered = new CompletableFuture<>();
              CompletableFuture<?> unused = answered.thenAccept(this::commitAnswered);
              ClientRequest.<Timestamp>of(Objects.requireNonNull(beginStep)::commitAsync)
                  .send(sink, answered);
            })
        .single();
  }

  /**
   * Closes the session when the commit is answered, even if no subscriber is left. An attempt that
   * restarts keeps the session.
   */
  private void commitAnswered(@Nullable Throwable failure) {
    if (failure instanceof AbortedException && statements.isFailed()) {
      phase.set(Phase.RESTARTING);
      if (cancelled) { // perhaps before RESTARTING was set; then onCancel did not close
        closeInsteadOfRestart();
      }
    } else {
      phase.set(Phase.ANSWERED);
      closeSession();
    }
  }

  private void closeInsteadOfRestart() {
    if (phase.compareAndSet(Phase.RESTARTING, Phase.ENDED)) {
      closeSession();
    }
  }

  private <T> Mono<CommittedTransaction<T>> afterFailure(
      Throwable failure, Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    AbortedException abort = abortOf(failure);
    if (abort == null) {
      return rollBack().then(Mono.error(failure));
    }
    Phase before = failure instanceof AttemptAborted ? Phase.RESTARTING : Phase.OPEN;
    if (statements.isFailed() && phase.compareAndSet(before, Phase.ENDED)) {
      CompletableFuture<?> unused = statements.end();
      return new TransactionAttempt(session, limit, scope, true)
          .run(() -> beginExplicitly(abort), body);
    }
    return rollBack().then(Mono.error(new AttemptAborted(abort)));
  }

  /** The abort of this attempt's own transaction, even if the body changed that error; or null. */
  private @Nullable AbortedException abortOf(Throwable failure) {
    if (failure instanceof AttemptAborted committing) {
      return committing.abort();
    }
    if (phase.get() == Phase.COMMITTING || phase.get() == Phase.ANSWERED) {
      return null; // it may be committed, whatever happened to its statements
    }
    AttemptTransaction handle = transaction;
    if (handle == null) {
      return failure instanceof AbortedException atBegin ? atBegin : null;
    }
    return handle.aborted();
  }

  /**
   * Restarts after the first statement failed and the body went on. The client aborts such a
   * transaction, because it was never begun, and expects a separate request to begin it.
   */
  private TransactionContextFuture beginExplicitly(AbortedException abort) {
    // The manager restarts only if it knows of the abort, and learns it from a failed step.
    Objects.requireNonNull(beginFuture)
        .then(
            (context, nothing) -> ApiFutures.immediateFailedFuture(abort),
            MoreExecutors.directExecutor());
    return session.beginAgain();
  }

  /**
   * Ends an attempt that has not reached its commit; otherwise does nothing. Completes when the
   * server has rolled back, so the next transaction does not conflict with this one; or when that
   * takes longer than {@link #ROLLBACK_LIMIT}.
   */
  private Mono<Void> rollBack() {
    return Mono.defer(
        () -> {
          if (!phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            return Mono.empty();
          }
          if (transaction == null || !statements.end().isDone()) {
            close(); // there may be no answer to wait for
            return Mono.empty();
          }
          return Mono.fromFuture(session::close, true)
              .timeout(ROLLBACK_LIMIT, Mono.empty())
              .onErrorComplete(); // the caller learns why the attempt ended
        });
  }

  /**
   * Ends an attempt that took too long, as a cancel does, and without waiting for an answer. After
   * that the phase tells for certain whether the commit was sent.
   */
  private Throwable afterTimeout(InsertTimeoutException timeout) {
    onCancel();
    Phase at = phase.get();
    return at == Phase.COMMITTING || at == Phase.ANSWERED
        ? new CommitOutcomeUnknownException(timeout)
        : timeout;
  }

  private void onCancel() {
    cancelled = true;
    if (phase.compareAndSet(Phase.NEW, Phase.ENDED)) {
      return; // begin() sees this, and closes
    }
    if (phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
      close();
    }
    closeInsteadOfRestart();
  }

  /**
   * Closes without waiting. If the first statement is under way, the rollback follows its answer.
   */
  private void close() {
    CompletableFuture<?> unused = statements.end().thenRun(this::closeSession);
  }

  private void closeSession() {
    CompletableFuture<?> unused = session.close();
  }
}
