package io.millrace.spanner;

import org.jspecify.annotations.Nullable;

/** Told when the first answer to a request arrived; may be told several times. */
interface AnswerListener {

  /** Wants to know nothing. */
  AnswerListener NONE = failure -> {};

  /**
   * The server has executed the request, or refused it.
   *
   * @param failure why, or null
   */
  void arrived(@Nullable Throwable failure);

  /**
   * The subscriber threw at a signal. It was told so by {@code onError}, which may not have reached
   * everything behind it: Reactor's operators do not expect a signal after a throw.
   */
  default void subscriberThrew(Throwable thrown) {}

  /** Whether others meet a failure that comes when the subscriber has left. */
  default boolean handlesLateFailure() {
    return false;
  }
}
