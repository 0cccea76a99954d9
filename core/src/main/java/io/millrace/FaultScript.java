package io.millrace;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What is to go wrong with the next attempts at one kind of request, first in, first out. An
 * attempt that finds the script empty goes well.
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

  /** One attempt's outcome; the error is of interest to those that end in one. */
  record Step(Outcome outcome, Throwable error) {}

  private static final Throwable NO_ERROR = new IllegalStateException("this step has no error");
  private static final Step SUCCESS = new Step(Outcome.SUCCESS, NO_ERROR);

  /** Written by any thread that scripts, emptied by any thread that makes an attempt. */
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

  void add(int attempts, Outcome outcome) {
    add(attempts, outcome, NO_ERROR);
  }

  void add(int attempts, Outcome outcome, Throwable error) {
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
