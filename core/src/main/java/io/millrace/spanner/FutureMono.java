package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A future of the Spanner client as a {@code Mono}: its value, empty if that is null, or its
 * failure, on the thread that completes it.
 */
final class FutureMono {

  private FutureMono() {}

  /** Starts the work at each subscription; cancelling the subscription lets the future go on. */
  static <V extends @Nullable Object> Mono<V> detached(Supplier<? extends ApiFuture<V>> future) {
    return detached(future, FirstAnswer.IGNORED);
  }

  /**
   * The same, and reports the future's end also when nobody is subscribed any more.
   *
   * @param answer told before the subscriber is
   */
  static <V extends @Nullable Object> Mono<V> detached(
      Supplier<? extends ApiFuture<V>> future, FirstAnswer answer) {
    return Mono.create(
        sink -> {
          ApiFuture<V> started;
          try {
            started = future.get();
          } catch (RuntimeException e) {
            answer.arrived(e);
            throw e;
          }
          whenDone(started, answer);
          connect(started, sink);
        });
  }

  /** Calls back when a future is done, with its failure if it failed. */
  static <V extends @Nullable Object> void whenDone(ApiFuture<V> future, FirstAnswer callback) {
    callBack(future, value -> callback.arrived(null), callback::arrived);
  }

  @SuppressWarnings("NullAway") // MonoSink.success takes null for an empty completion
  private static <V extends @Nullable Object> void connect(ApiFuture<V> future, MonoSink<V> sink) {
    callBack(future, sink::success, sink::error);
  }

  /** Calls one of the two on the thread that completes the future. */
  private static <V extends @Nullable Object> void callBack(
      ApiFuture<V> future, Consumer<V> onSuccess, Consumer<Throwable> onFailure) {
    ApiFutures.addCallback(
        future,
        new ApiFutureCallback<V>() {
          @Override
          public void onSuccess(V value) {
            onSuccess.accept(value);
          }

          @Override
          public void onFailure(Throwable failure) {
            onFailure.accept(failure);
          }
        },
        MoreExecutors.directExecutor());
  }
}
