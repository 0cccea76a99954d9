package io.millrace;

import io.millrace.internal.LogSafe;

/**
 * Thrown when a value is requested from a generator that was disposed, as when the application
 * stops. A request that fails with it can be answered with 503: another instance can serve it.
 */
public final class SequenceDisposedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** Creates the failure. */
  public SequenceDisposedException(String sequence) {
    super(
        sequence,
        "the generator of sequence "
            + LogSafe.quote(sequence)
            + " is disposed, as when the application stops: answer a request with 503, or build"
            + " another generator",
        null);
  }
}
