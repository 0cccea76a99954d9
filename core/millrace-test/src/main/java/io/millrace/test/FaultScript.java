package io.millrace.test;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The scripted faults of the next attempts at one kind of request, first in, first out. An attempt
 * that finds the script empty succeeds.
 */
final class FaultScript {

  /** What happens to an attempt. */
  enum Outcome {
    /** It takes effect and is answered. */
    SUCCESS,
    /** It fails and has no effect. */
    FAILURE,
    /** It has no effect and is never answered. */
    SILENCE,
    /** It loses a conflict, has no effect, and the store tries again by itself. */
    ABORT,
    /** It takes effect, and an error arrives in place of the answer. */
    LOST_ANSWER
  }

  /** The outcome of one attempt, with the error if it ends in one. */
  record Step(Outcome outcome, @Nullable Throwable error) {

    <T> Mono<T> fail() {
      return Mono.error(Objects.requireNonNull(error));
    }
  }

  private static final Step SUCCESS = new Step(Outcome.SUCCESS, null);

  /** Filled by any thread that scripts faults, emptied by any thread that makes an attempt. */
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

  void add(int attempts, Outcome outcome) {
    add(attempts, outcome, null);
  }

  void add(int attempts, Outcome outcome, @Nullable Throwable error) {
    if (attempts < 0) {
      throw new IllegalArgumentException("a script has 0 or more attempts, was " + attempts);
    }
    Step step = new Step(outcome, error);
    for (int i = 0; i < attempts; i++) {
      steps.add(step);
    }
  }

  Step next() {
    Step step = steps.poll();
    return step == null ? SUCCESS : step;
  }
}
