package io.millrace.spring.boot;

import io.millrace.SequenceState;
import reactor.core.publisher.Mono;

/** The store's way to move a counter forward, for {@link SequencesEndpoint}. */
@FunctionalInterface
interface ForwardMoves {

  /** Moves the counter of a row, never back; emits where it is then. */
  Mono<SequenceState> moveForward(String row, long nextValue);
}
