package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;

/** A counter appeared or moved between two statements that read it; neither had an effect. */
final class CounterChangedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CounterChangedException(String sequence) {
    super("the counter of sequence " + LogSafe.quote(sequence) + " changed meanwhile; try again");
  }
}
