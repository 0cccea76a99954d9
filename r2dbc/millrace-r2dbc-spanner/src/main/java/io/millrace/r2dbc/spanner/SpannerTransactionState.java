package io.millrace.r2dbc.spanner;

import com.google.cloud.spanner.SpannerException;
import io.r2dbc.spi.R2dbcNonTransientException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * A transaction of one connection. In the driver, each statement of a read-write transaction waits
 * for the one before; it is never answered if that one has failed or was cancelled.
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

  /**
   * The answer to a statement, which is read to the end, or the failure of another one. The
   * statement that failed reports its own failure, before the others end with it; it is also noted
   * after a cancel.
   */
  <T> Flux<T> guarded(Publisher<T> answer) {
    if (readOnly) {
      return Flux.from(answer);
    }
    Flux<T> noted =
        Flux.from(answer)
            .onErrorResume(first -> Flux.<T>error(first).doAfterTerminate(() -> fail(first)));
    return DrainOnCancel.of(noted).takeUntilOther(failure.asMono());
  }

  private void fail(Throwable first) {
    boolean mayPass =
        switch (SpannerStatus.kind(first)) {
          case REFUSED, DUPLICATE_KEY, TABLE_MISSING, NOT_PERMITTED -> false;
          case OTHER -> first instanceof SpannerException; // others are of the application
          default -> true;
        };
    failure.tryEmitError(mayPass ? first : new EarlierFailureException(first));
  }
}
