package io.millrace.internal;

import java.util.function.Supplier;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Reports errors that cannot reach a subscriber any more. */
public final class DroppedErrors {

  private DroppedErrors() {}

  /**
   * Passes an error to Reactor's hook for dropped errors. Throws nothing.
   *
   * @param dropped the error
   */
  public static void report(Throwable dropped) {
    report(dropped, Context::empty);
  }

  /**
   * The same for an error that a subscriber should have received. Its Context may contain a hook.
   *
   * @param dropped the error
   * @param context gives the subscriber's Context; it may throw
   */
  public static void report(Throwable dropped, Supplier<Context> context) {
    try {
      Operators.onErrorDropped(dropped, context.get());
    } catch (Throwable hooked) {
      // A hook may throw the error itself. There is no other place to report it.
    }
  }
}
