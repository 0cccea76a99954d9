package io.millrace.spanner;

import io.millrace.internal.DroppedErrors;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;

/**
 * Sends signals to subscribers that may throw. Reactor throws errors of the JVM, such as a {@code
 * StackOverflowError}, to the code that signals. Here that is a thread of the client, which would
 * swallow them, or a loop that must go on. So what a subscriber throws is signalled to it as its
 * error.
 *
 * <p>An error of the JVM is signalled as the cause of an {@link IllegalStateException}: many of
 * Reactor's operators rethrow such an error when they receive it as a signal, and then it would not
 * reach the subscriber.
 */
final class Signals {

  private Signals() {}

  /** Signals the failure. If the subscriber throws again, that is reported as dropped. */
  static void error(CoreSubscriber<?> actual, Throwable failure) {
    try {
      actual.onError(signalled(failure));
    } catch (Throwable thrown) {
      dropped(actual, thrown);
    }
  }

  /** The failure in a form that Reactor's operators pass on. */
  static Throwable signalled(Throwable failure) {
    return Exceptions.isJvmFatal(failure)
        ? new IllegalStateException("ended by an error of the JVM: " + failure, failure)
        : failure;
  }

  /** Reports an error that no subscriber can receive. */
  static void dropped(CoreSubscriber<?> actual, Throwable failure) {
    DroppedErrors.report(signalled(failure), actual::currentContext);
  }
}
