package io.millrace.spanner;

import org.jspecify.annotations.Nullable;

/** Notified when the first answer to a request arrives. May be notified several times. */
interface AnswerListener {

  /** Ignores everything. */
  AnswerListener NONE = failure -> {};

  /**
   * Called when the server has executed the request, or refused it.
   *
   * @param failure why it was refused, or null
   */
  void arrived(@Nullable Throwable failure);

  /**
   * Whether this listener handles a failure that arrives after the subscriber has cancelled. If
   * not, the failure is reported as dropped.
   */
  default boolean handlesLateFailure() {
    return false;
  }
}
