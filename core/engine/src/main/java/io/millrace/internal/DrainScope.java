package io.millrace.internal;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * Runs a drain loop with the ThreadLocals of its subscriber's Context. A loop runs on any thread
 * that signals it, perhaps another subscriber's thread. Reactor restores ThreadLocals between its
 * own operators only.
 */
final class DrainScope {

  private final Mono<Void> restoring;

  /** How often the loop was run. Written by the thread in the loop. */
  private int runs;

  private DrainScope(CoreSubscriber<?> subscriber, Runnable loop) {
    // Reactor restores ThreadLocals around the subscription to the source of a contextWrite.
    restoring =
        Mono.<Void>fromRunnable(
                () -> {
                  runs++;
                  loop.run();
                })
            .contextWrite(context -> subscriber.currentContext());
  }

  /** Returns null if automatic context propagation is off, which is the default. */
  static @Nullable DrainScope of(CoreSubscriber<?> subscriber, Runnable loop) {
    return Hooks.isAutomaticContextPropagationEnabled() ? new DrainScope(subscriber, loop) : null;
  }

  /**
   * Runs the loop, which throws nothing. Called by the thread that may enter it.
   *
   * @return null if the loop has run; otherwise what prevented it, such as a ThreadLocal that
   *     cannot be set
   */
  @Nullable Throwable run() {
    int before = runs;
    try {
      restoring.subscribe();
    } catch (Throwable thrown) {
      return runs == before ? thrown : null; // once it has run, other threads may have run it since
    }
    return runs == before ? new IllegalStateException("a hook of Reactor's lost the loop") : null;
  }
}
