package io.millrace;

import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Tells of errors that no subscriber can be told of. */
final class DroppedErrors {

  private DroppedErrors() {}

  /** Passes an error to Reactor's hook, without being thrown out of what is to be done. */
  static void tell(Throwable dropped) {
    try {
      Operators.onErrorDropped(dropped, Context.empty());
    } catch (Throwable hooked) {
      // a hook may throw what it is given
    }
  }
}
