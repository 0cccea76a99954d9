package io.millrace.spanner;

import io.millrace.internal.DroppedErrors;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;

/**
 * Signals to subscribers that may throw. Reactor throws errors of the JVM, such as a {@code
 * StackOverflowError}, back to the thread that signals. Here that is a thread of the client, which
 * would swallow them, or a loop that other subscribers need. So what a subscriber throws is
 * signalled to it as its error.
 *
 * <p>An error of the JVM is signalled as the cause of an {@link IllegalStateException}: many of
 * Reactor's operators throw such an error when they receive it as a signal, and then the subscriber
 * would not receive it.
 */
final class Signals {

  private Signals() {}

  /** Signals the failure. If the subscriber throws again, the failure is dropped. */
  static void error(CoreSubscriber<?> actual, Throwable failure) {
    try {
      actual.onError(signalled(failure));
    } catch (Throwable thrown) {
      dropped(actual, thrown);
    }
  }

  /** The failure as Reactor passes it on. */
  static Throwable signalled(Throwable failure) {
    return Exceptions.isJvmFatal(failure)
        ? new IllegalStateException("ended by an error of the JVM: " + failure, failure)
        : failure;
  }

  /** For an error that reaches no subscriber. */
  static void dropped(CoreSubscriber<?> actual, Throwable failure) {
    DroppedErrors.report(signalled(failure), actual::currentContext);
  }
}
