package io.millrace.r2dbc.spanner;

import io.millrace.r2dbc.FailureKind;
import io.r2dbc.spi.R2dbcNonTransientException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * A transaction of one connection. In the driver, each statement of a read-write transaction waits
 * for the one before; it is never answered if that one has failed, or was a query that was
 * cancelled.
 */
final class SpannerTransactionState {

  /** An earlier statement of the transaction failed, so this one is not sent. */
  static final class EarlierFailureException extends R2dbcNonTransientException {

    private static final long serialVersionUID = 1L;

    EarlierFailureException(Throwable failure) {
      super("an earlier statement of the transaction failed: roll it back", failure);
    }
  }

  private final boolean readOnly;

  /** Fails with the first failure of a statement. */
  private final Sinks.Empty<Void> failure = Sinks.empty();

  SpannerTransactionState(boolean readOnly) {
    this.readOnly = readOnly;
  }

  /** The answer to a statement, or the failure of another one. */
  <T> Flux<T> guarded(Publisher<T> answer) {
    return readOnly
        ? Flux.from(answer)
        : Flux.from(answer)
            .takeUntilOther(failure.asMono())
            // The statement that failed reports its own failure, before the others end with it.
            .onErrorResume(first -> Flux.<T>error(first).doAfterTerminate(() -> fail(first)));
  }

  /** The rows of a query, which are read to the end. */
  <T> Flux<T> guardedRows(Publisher<T> rows) {
    return readOnly ? Flux.from(rows) : guarded(DrainOnCancel.of(Flux.from(rows)));
  }

  private void fail(Throwable first) {
    FailureKind kind = SpannerStatus.kind(first);
    boolean transientFailure = kind == FailureKind.CONFLICT || kind == FailureKind.CONNECTION_LOST;
    failure.tryEmitError(transientFailure ? first : new EarlierFailureException(first));
  }
}
