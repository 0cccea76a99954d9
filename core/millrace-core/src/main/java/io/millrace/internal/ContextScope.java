package io.millrace.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Runs a task on this thread with the ThreadLocals of a Context, where Reactor propagates Contexts
 * to ThreadLocals. Reactor sets them around the subscription to the source of a {@code
 * contextWrite}, and between its own operators, so not for code that a thread runs for somebody
 * else.
 */
public final class ContextScope {

  private ContextScope() {}

  /**
   * Runs a task with the ThreadLocals of a Context. What it throws is thrown.
   *
   * @throws IllegalStateException if the ThreadLocals could not be set
   */
  public static void run(Supplier<Context> context, Runnable task) {
    Throwable notRun = tryRun(context, task);
    if (notRun != null) {
      throw new IllegalStateException("the ThreadLocals could not be set", notRun);
    }
  }

  /**
   * Runs a task. What it throws is thrown.
   *
   * @return null if it was run; otherwise why not, such as a ThreadLocal that cannot be set
   */
  static @Nullable Throwable tryRun(Supplier<Context> context, Runnable task) {
    if (!Hooks.isAutomaticContextPropagationEnabled()) {
      task.run();
      return null;
    }
    Attempt attempt = new Attempt(task);
    try {
      Mono.<Void>fromRunnable(attempt).contextWrite(replaced -> context.get()).subscribe(attempt);
    } catch (Throwable failed) {
      attempt.onError(failed);
    }
    return attempt.begun ? attempt.end() : attempt.reason();
  }

  /** Its fields are used by one thread, before {@code subscribe} returns. */
  private static final class Attempt implements Runnable, CoreSubscriber<Void> {

    private final Runnable task;
    private boolean begun;
    private @Nullable Throwable thrown;
    private @Nullable Throwable failure;

    Attempt(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      begun = true;
      try {
        task.run();
      } catch (RuntimeException | Error failed) {
        thrown = failed;
      }
    }

    /** Throws what the task threw. */
    private @Nullable Throwable end() {
      if (failure != null) {
        GuardedCall.drop(failure, Context::empty);
      }
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
      return null;
    }

    private Throwable reason() {
      return failure == null
          ? new IllegalStateException("a hook of Reactor's lost the task")
          : failure;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Void nothing) {}

    @Override
    public void onError(Throwable error) {
      failure = error;
    }

    @Override
    public void onComplete() {}

    @Override
    public Context currentContext() {
      return Context.empty();
    }
  }
}
