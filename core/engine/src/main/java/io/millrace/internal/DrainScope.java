package io.millrace.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * Runs a drain loop with the ThreadLocals of its subscriber's Context. The loop may run on any
 * thread that brings a signal, perhaps another subscriber's. Reactor restores ThreadLocals between
 * its own operators only, so not for this loop.
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
   * Runs the loop, which throws nothing. The calling thread has the right to enter the loop.
   *
   * @return null if the loop was run; otherwise the reason why it was not, such as a ThreadLocal
   *     that cannot be set
   */
  @Nullable Throwable run() {
    int before = runs;
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try {
      restoring.subscribe(nothing -> {}, failure::set);
    } catch (Throwable thrown) {
      failure.set(thrown);
    }
    Throwable reason = failure.get();
    if (runs != before) { // once run, another thread may have run it again
      if (reason != null) {
        DroppedErrors.report(reason);
      }
      return null;
    }
    return reason == null ? new IllegalStateException("a hook of Reactor's lost the loop") : reason;
  }
}
