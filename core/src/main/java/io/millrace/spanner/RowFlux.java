package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.AsyncResultSet.ReadyCallback;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * The rows of a result set of the Spanner client as a {@code Flux}.
 *
 * <p>Rows that are not asked for are kept in memory. The client's own way to hold a stream back
 * parks one of the few threads that serve all its streams: transactions that each hold one stream
 * back and wait for another would wait for ever.
 */
final class RowFlux {

  private RowFlux() {}

  /** The rows of a result set outside a transaction. */
  static Flux<Struct> of(Supplier<AsyncResultSet> open) {
    return of(open, FirstAnswer.IGNORED);
  }

  /**
   * The rows of a result set.
   *
   * @param answer told of the first answer, before the subscriber is
   */
  static Flux<Struct> of(Supplier<AsyncResultSet> open, FirstAnswer answer) {
    return Flux.create(
        sink -> new Subscription(answer, sink).start(open), FluxSink.OverflowStrategy.BUFFER);
  }

  /** One subscriber and its result set. */
  private static final class Subscription implements ReadyCallback, ApiFutureCallback<Void> {

    private final FirstAnswer answer;
    private final FluxSink<Struct> sink;

    /** The failure that ended the rows; written and read by the client's thread for this stream. */
    private volatile @Nullable SpannerException seen;

    Subscription(FirstAnswer answer, FluxSink<Struct> sink) {
      this.answer = answer;
      this.sink = sink;
    }

    void start(Supplier<AsyncResultSet> open) {
      ApiFuture<Void> end;
      try {
        AsyncResultSet rows = open.get();
        end = rows.setCallback(MoreExecutors.directExecutor(), this);
        sink.onCancel(rows::cancel);
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      ApiFutures.addCallback(end, this, MoreExecutors.directExecutor());
    }

    @Override
    public CallbackResponse cursorReady(AsyncResultSet cursor) {
      try {
        while (true) {
          switch (cursor.tryNext()) {
            case DONE:
              return CallbackResponse.DONE;
            case NOT_READY:
              return CallbackResponse.CONTINUE;
            case OK:
              answer.arrived(null);
              sink.next(cursor.getCurrentRowAsStruct());
          }
        }
      } catch (SpannerException e) {
        seen = e;
        return CallbackResponse.DONE; // now the future that setCallback returned fails
      }
    }

    @Override
    public void onSuccess(Void nothing) {
      answer.arrived(null);
      sink.complete();
    }

    @Override
    public void onFailure(Throwable failure) {
      SpannerException earlier = seen;
      if (sink.isCancelled()) {
        answer.arrived(null); // ended by us, after the server's first answer
      } else if (!LostAnswerException.isLost(failure)) {
        fail(failure);
      } else if (earlier != null && !LostAnswerException.isLost(earlier)) {
        fail(earlier);
      } else {
        fail(new LostAnswerException(failure));
      }
    }

    private void fail(Throwable failure) {
      answer.arrived(failure);
      sink.error(failure);
    }
  }
}
