package io.millrace.internal;

import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Reports errors that cannot reach a subscriber any more. */
public final class DroppedErrors {

  private DroppedErrors() {}

  /**
   * Passes an error to Reactor's hook for dropped errors, and throws nothing.
   *
   * @param dropped the error
   * @param context of the subscriber that the error was for; it may hold a hook of its own
   */
  public static void tell(Throwable dropped, Context context) {
    try {
      Operators.onErrorDropped(dropped, context);
    } catch (Throwable hooked) {
      // A hook may throw what it is given. There is nobody left to report to.
    }
  }
}
