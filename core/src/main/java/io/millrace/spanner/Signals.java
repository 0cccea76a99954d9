package io.millrace.spanner;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * Signals to subscribers that may throw. Reactor passes errors of the JVM, such as a {@code
 * StackOverflowError}, to whoever signals; here that is a thread of the client, which would swallow
 * them, or a loop that others need. So what a subscriber throws is signalled to it as its error.
 */
final class Signals {

  private Signals() {}

  /** The only value, and the end. */
  static <T> void only(CoreSubscriber<? super T> actual, T value) {
    try {
      actual.onNext(value);
      actual.onComplete();
    } catch (Throwable thrown) {
      error(actual, thrown);
    }
  }

  static void complete(CoreSubscriber<?> actual) {
    try {
      actual.onComplete();
    } catch (Throwable thrown) {
      dropped(actual, thrown);
    }
  }

  static void error(CoreSubscriber<?> actual, Throwable failure) {
    try {
      actual.onError(failure);
    } catch (Throwable thrown) {
      dropped(actual, thrown);
    }
  }

  /** For an error that nobody can be told of. */
  static void dropped(CoreSubscriber<?> actual, Throwable failure) {
    try {
      Operators.onErrorDropped(failure, actual.currentContext());
    } catch (Throwable hook) {
      // The hook for dropped errors may throw them.
    }
  }
}
