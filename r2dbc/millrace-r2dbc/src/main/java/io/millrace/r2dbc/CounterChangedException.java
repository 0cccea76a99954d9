package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;

/** A counter appeared or moved between two statements that read it; neither had an effect. */
final class CounterChangedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CounterChangedException(String sequence) {
    super("the counter of sequence " + LogSafe.quote(sequence) + " changed meanwhile; try again");
  }

  /** Suppressed, because the kind of a failure is also looked for in its causes. */
  CounterChangedException(String sequence, Throwable suppressed) {
    this(sequence);
    addSuppressed(suppressed);
  }
}
