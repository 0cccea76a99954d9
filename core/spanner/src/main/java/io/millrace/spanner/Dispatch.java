package io.millrace.spanner;

import java.util.concurrent.RejectedExecutionException;
import reactor.core.scheduler.Schedulers;

/** Decides when a request is sent. */
@FunctionalInterface
interface Dispatch {

  /** Sends requests as they come. */
  Dispatch AT_ONCE = atOnce(AnswerListener.NONE);

  /** The same as {@link #mayBlock}, without a listener. */
  Dispatch MAY_BLOCK = mayBlock(AnswerListener.NONE);

  static Dispatch atOnce(AnswerListener listener) {
    return request -> request.send(listener);
  }

  /**
   * Sends requests on a thread that may be blocked: the client blocks while it has no session yet.
   * A cancel does not interrupt the thread, as it would with {@code subscribeOn}: the client loses
   * a session that it is interrupted with.
   */
  static Dispatch mayBlock(AnswerListener listener) {
    return request -> {
      try {
        Schedulers.boundedElastic()
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
