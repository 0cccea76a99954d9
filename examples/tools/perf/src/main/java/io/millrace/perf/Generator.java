package io.millrace.perf;

import reactor.core.publisher.Mono;

/** A way to issue values to clients, set up for one run. */
interface Generator extends AutoCloseable {

  /** Ensures that the counter exists, and that the first client does not wait for a session. */
  Mono<Void> warmUp();

  /** One turn of a client: takes {@code count} values, and does the application's work. */
  Mono<TakenValues> turn(int client, int count);

  /** The number of values that are reserved so far and not issued to a client. */
  long waste();

  /** Ends the generator, and releases its unused values if possible; may block. */
  @Override
  void close();
}
