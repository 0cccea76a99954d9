package io.millrace.spanner;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import io.millrace.internal.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * A request to the Spanner client: its futures and result sets as Reactor's sequences.
 *
 * <p>Rows without demand are kept in memory. To hold a stream back, the client would block one of
 * the few threads that serve all its streams. Transactions that each hold one stream back and wait
 * for another one would then wait forever.
 */
@FunctionalInterface
interface ClientRequest<V> {

  /**
   * Completes on a thread that may be blocked, because the client blocks while it has no session
   * yet. Unlike with {@code subscribeOn}, a cancel does not interrupt that thread: an interrupt
   * would make the client lose a session.
   */
  Mono<Void> ON_BLOCKABLE_THREAD = Mono.defer(() -> Threads.of(Schedulers.boundedElastic()));

  /** Sends a read up to 3 more times: a later attempt usually shows why it was refused. */
  Retry AFTER_LOST_ANSWER =
      Retry.max(3)
          .filter(LostAnswerException.class::isInstance)
          .onRetryExhaustedThrow((retry, signal) -> signal.failure().getCause());

  /**
   * Sends the request. Does not throw: an exception of the client counts as the answer. A failure
   * that arrives after the subscriber has cancelled is ignored.
   *
   * @param answered completed with the failure, or null, when the server has executed the request
   *     or refused it; before the subscriber learns it, and also if the subscriber has cancelled
   */
  void send(FluxSink<V> sink, CompletableFuture<@Nullable Throwable> answered);

  /** Sends the request at each subscription. */
  default Flux<V> flux() {
    return Flux.create(sink -> send(sink, new CompletableFuture<>()));
  }

  /** A future of the client. A value of null is none. Cancelling does not stop the future. */
  static <V> ClientRequest<V> of(Supplier<? extends ApiFuture<? extends @Nullable V>> call) {
    return (sink, answered) ->
        whenDone(
            call,
            (value, failure) -> {
              answered.complete(failure);
              if (value != null) {
                sink.next(value);
              }
              end(sink, failure);
            });
  }

  /** The rows of a result set, which a cancel closes. */
  static ClientRequest<Struct> rows(Supplier<AsyncResultSet> open) {
    return (sink, answered) -> {
      AtomicReference<@Nullable SpannerException> ofCursor = new AtomicReference<>();
      whenDone(
          () -> startReading(open.get(), sink, answered, ofCursor),
          (nothing, reported) -> {
            Throwable failure = reasonOf(reported, ofCursor.get(), sink);
            answered.complete(failure);
            end(sink, failure);
          });
    };
  }

  /**
   * Reads a few rows outside a transaction. Errors: the client's {@link SpannerException}.
   *
   * @param read opens the result set in a context of its own
   */
  static Mono<List<Struct>> read(
      DatabaseClient client, Function<? super ReadContext, AsyncResultSet> read) {
    return ON_BLOCKABLE_THREAD
        .thenMany(rows(() -> openOnce(client.singleUse(), read)).flux())
        .collectList()
        .retryWhen(AFTER_LOST_ANSWER);
  }

  private static AsyncResultSet openOnce(
      ReadContext context, Function<? super ReadContext, AsyncResultSet> read) {
    try {
      return read.apply(context);
    } catch (RuntimeException thrown) {
      context.close(); // otherwise the end of the result set closes it
      throw thrown;
    }
  }

  private static ApiFuture<Void> startReading(
      AsyncResultSet rows,
      FluxSink<Struct> sink,
      CompletableFuture<@Nullable Throwable> answered,
      AtomicReference<@Nullable SpannerException> ofCursor) {
    ApiFuture<Void> end;
    try {
      end =
          rows.setCallback(directExecutor(), cursor -> emitRows(cursor, sink, answered, ofCursor));
    } catch (RuntimeException thrown) {
      rows.close();
      throw thrown;
    }
    sink.onCancel(rows::cancel); // only a result set with a callback can be cancelled
    return end;
  }

  /** Called on the client's thread for this stream. */
  private static CallbackResponse emitRows(
      AsyncResultSet cursor,
      FluxSink<Struct> sink,
      CompletableFuture<@Nullable Throwable> answered,
      AtomicReference<@Nullable SpannerException> ofCursor) {
    try {
      while (true) {
        switch (cursor.tryNext()) {
          case DONE:
            return CallbackResponse.DONE;
          case NOT_READY:
            return CallbackResponse.CONTINUE;
          case OK:
            answered.complete(null);
            sink.next(cursor.getCurrentRowAsStruct());
        }
      }
    } catch (SpannerException e) {
      ofCursor.set(e);
      return CallbackResponse.DONE; // the result set reports it
    }
  }

  /**
   * Why a result set failed; null if only the subscriber's cancel ended it. The cursor may know a
   * refusal that the result set has lost.
   */
  private static @Nullable Throwable reasonOf(
      @Nullable Throwable reported, @Nullable Throwable ofCursor, FluxSink<?> sink) {
    if (reported instanceof SpannerException end
        && end.getErrorCode() == ErrorCode.CANCELLED
        && sink.isCancelled()) {
      return null;
    }
    if (reported == null || !LostAnswerException.isLost(reported)) {
      return reported;
    }
    return ofCursor == null || sink.isCancelled() || LostAnswerException.isLost(ofCursor)
        ? new LostAnswerException(reported)
        : ofCursor;
  }

  private static void end(FluxSink<?> sink, @Nullable Throwable failure) {
    if (failure == null) {
      sink.complete();
    } else if (!sink.isCancelled()) {
      sink.error(failure);
    }
  }

  /** Calls back with a future's value or failure, or with what the call throws. */
  static <V> void whenDone(
      Supplier<? extends ApiFuture<? extends @Nullable V>> call,
      BiConsumer<@Nullable V, @Nullable Throwable> callback) {
    ApiFuture<? extends @Nullable V> future;
    try {
      future = call.get();
    } catch (RuntimeException thrown) {
      callback.accept(null, thrown);
      return;
    }
    ApiFutures.addCallback(
        future,
        new ApiFutureCallback<@Nullable V>() {
          @Override
          public void onSuccess(@Nullable V value) {
            callback.accept(value, null);
          }

          @Override
          public void onFailure(Throwable failure) {
            callback.accept(null, failure);
          }
        },
        directExecutor());
  }
}
