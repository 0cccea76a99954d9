package io.millrace.engine;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Makes requests to a store such that a {@code timeout} behind them always ends. */
final class Cancellable {

  private Cancellable() {}

  /**
   * Subscribes to a request after the time limit has begun, so that a store that never answers the
   * subscription is covered. Drops what the cancel of the request throws: otherwise the time limit
   * would emit no error.
   *
   * @param request emits one value or none; not subscribed to if the subscriber has cancelled
   */
  static <T> Mono<T> of(Mono<T> request) {
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
