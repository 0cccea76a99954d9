package io.millrace.spanner;

import io.millrace.internal.ReliableScheduler;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.scheduler.Schedulers;

/** Decides when a request is sent. */
@FunctionalInterface
interface Dispatch {

  /** Sends each request at once. */
  Dispatch AT_ONCE = atOnce(AnswerListener.NONE);

  /** As {@link #mayBlock}, without a listener. */
  Dispatch MAY_BLOCK = mayBlock(AnswerListener.NONE);

  static Dispatch atOnce(AnswerListener listener) {
    return request -> request.send(listener);
  }

  /**
   * Sends requests on a thread that may be blocked, because the client blocks while it has no
   * session yet. Unlike with {@code subscribeOn}, a cancel does not interrupt that thread: an
   * interrupt would make the client lose a session.
   */
  static Dispatch mayBlock(AnswerListener listener) {
    return request -> {
      try {
        ReliableScheduler.of(Schedulers.boundedElastic())
            .schedule(
                () -> {
                  if (request.isWanted()) {
                    request.send(listener);
                  }
                });
      } catch (RejectedExecutionException full) {
        request.refuse(full);
      }
    };
  }

  /** Sends or refuses the request, now or later, on any thread; or drops it if it is not wanted. */
  void dispatch(ClientRequest request);
}
