package io.millrace;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Runs a task of the generator on a subscriber's thread. Where Reactor propagates Contexts to
 * thread-locals, these have no value while the task runs.
 */
final class Detached {

  private Detached() {}

  /** Runs the task on this thread, and throws what it throws. */
  static void run(Runnable task) throws Throwable {
    Outcome outcome = new Outcome();
    Mono.<Void>fromRunnable(task).contextWrite(subscribers -> Context.empty()).subscribe(outcome);
    if (outcome.thrown != null) {
      throw outcome.thrown;
    }
  }

  private static final class Outcome implements CoreSubscriber<Void> {

    /** Written before {@code subscribe} returns. */
    @Nullable Throwable thrown;

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Void nothing) {}

    @Override
    public void onError(Throwable failure) {
      thrown = failure;
    }

    @Override
    public void onComplete() {}

    @Override
    public Context currentContext() {
      return Context.empty();
    }
  }
}
