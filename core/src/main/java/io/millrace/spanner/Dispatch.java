package io.millrace.spanner;

/** Decides when a request is sent. */
@FunctionalInterface
interface Dispatch {

  /** Sends requests as they come. */
  Dispatch AT_ONCE = request -> request.send(FirstAnswer.IGNORED);

  /** Sends or refuses the request, now or later, on any thread; or drops it if it is not wanted. */
  void dispatch(ClientRequest request);
}
