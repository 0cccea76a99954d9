package io.millrace.spanner;

import org.jspecify.annotations.Nullable;

/** Told when the first answer to a request arrived; may be told several times. */
interface FirstAnswer {

  /** Wants to know nothing. */
  FirstAnswer IGNORED = failure -> {};

  /**
   * The server has executed the request, or refused it.
   *
   * @param failure why, or null
   */
  void arrived(@Nullable Throwable failure);
}
