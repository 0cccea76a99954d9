package io.millrace.spanner;

/** A request to Spanner, between its subscription and its answer. */
interface ClientRequest {

  /** Whether the subscriber still waits for the answer. */
  boolean isWanted();

  /**
   * Sends the request. Called at most once. Does not throw: an exception of the client counts as
   * the answer.
   *
   * @param listener notified of the first answer, before the subscriber is; also if the subscriber
   *     has cancelled
   */
  void send(AnswerListener listener);

  /**
   * Signals to the subscriber that the request will not be sent. Called instead of {@link #send}.
   */
  void refuse(Throwable reason);
}
