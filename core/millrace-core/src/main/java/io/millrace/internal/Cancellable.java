package io.millrace.internal;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Requests to a database, as a {@code timeout} behind them needs them. */
public final class Cancellable {

  private Cancellable() {}

  /**
   * Sends a request after its subscriber has its subscription, so that the time limit covers the
   * request from its start. What its cancel throws is dropped: thrown into the operator of the time
   * limit, it would keep that from signalling.
   *
   * @param request emits one value or none; not subscribed to if the subscriber has cancelled
   */
  public static <T> Mono<T> of(Mono<T> request) {
    return Mono.create(
        sink -> {
          Disposable.Swap running = Disposables.swap();
          sink.onDispose(
              () -> {
                try {
                  running.dispose();
                } catch (RuntimeException thrown) {
                  Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
                }
              });
          if (!running.isDisposed()) {
            running.update(
                request
                    .switchIfEmpty(Mono.fromRunnable(sink::success))
                    .contextWrite(sink.contextView())
                    .subscribe(sink::success, sink::error));
          }
        });
  }
}
