package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.function.Supplier;
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

  static Flux<Struct> of(Supplier<AsyncResultSet> open, FirstAnswer answer) {
    return Flux.create(sink -> connect(open, answer, sink), FluxSink.OverflowStrategy.BUFFER);
  }

  private static void connect(
      Supplier<AsyncResultSet> open, FirstAnswer answer, FluxSink<Struct> sink) {
    ApiFuture<Void> end;
    try {
      AsyncResultSet rows = open.get();
      end = rows.setCallback(MoreExecutors.directExecutor(), cursor -> drain(cursor, answer, sink));
      sink.onCancel(rows::cancel);
    } catch (RuntimeException e) {
      answer.arrived(e);
      sink.error(e);
      return;
    }
    ApiFutures.addCallback(
        end,
        new ApiFutureCallback<Void>() {
          @Override
          public void onSuccess(Void nothing) {
            answer.arrived(null);
            sink.complete();
          }

          @Override
          public void onFailure(Throwable failure) {
            if (sink.isCancelled()) {
              answer.arrived(null); // ended by us, after the server's first answer
            } else {
              answer.arrived(failure);
              sink.error(failure);
            }
          }
        },
        MoreExecutors.directExecutor());
  }

  private static CallbackResponse drain(
      AsyncResultSet cursor, FirstAnswer answer, FluxSink<Struct> sink) {
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
      return CallbackResponse.DONE; // the future that setCallback returned fails with the same
    }
  }
}
