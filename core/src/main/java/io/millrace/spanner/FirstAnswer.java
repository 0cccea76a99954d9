package io.millrace.spanner;

import org.jspecify.annotations.Nullable;

/** Told when the first answer to a statement arrived; may be told several times. */
interface FirstAnswer {

  /** Wants to know nothing. */
  FirstAnswer IGNORED = failure -> {};

  /**
   * The server has executed the statement, or refused it.
   *
   * @param failure why, or null
   */
  void arrived(@Nullable Throwable failure);

  /** Tells this one, then another. */
  default FirstAnswer and(FirstAnswer other) {
    return failure -> {
      arrived(failure);
      other.arrived(failure);
    };
  }
}
