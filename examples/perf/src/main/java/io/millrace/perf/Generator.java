package io.millrace.perf;

import reactor.core.publisher.Mono;

/** Something that gives values to clients, set up for one run. */
interface Generator extends AutoCloseable {

  /**
   * Makes sure that the counter is there, and that the first client need not wait for a session.
   */
  Mono<Void> warmUp();

  /** A client's turn: takes so many values, and spends the application's time. */
  Mono<Taken> turn(int count);

  /** Values reserved so far and not given to anybody. */
  long waste();

  /** Ends it, and gives back what can be given back; may block. */
  @Override
  void close();
}
