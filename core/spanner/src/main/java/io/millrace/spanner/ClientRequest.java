package io.millrace.spanner;

/** A request to Spanner, between its subscription and its answer. */
interface ClientRequest {

  /** Whether a subscriber still waits for the answer. */
  boolean isWanted();

  /**
   * Sends the request; called at most once. It does not throw: what the client throws is the
   * answer.
   *
   * @param answer receives the first answer, before the subscriber does, and also if the subscriber
   *     has cancelled
   */
  void send(AnswerListener answer);

  /** Tells the subscriber that the request will not be sent. Called instead of {@link #send}. */
  void refuse(Throwable reason);
}
