package io.millrace;

import io.millrace.internal.ShownText;

/** Thrown when a value is requested from a generator that was disposed. */
public final class SequenceDisposedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** Creates the failure. */
  public SequenceDisposedException(String sequence) {
    super(
        sequence,
        "the generator of sequence " + ShownText.quote(sequence) + " is disposed; build another",
        null);
  }
}
