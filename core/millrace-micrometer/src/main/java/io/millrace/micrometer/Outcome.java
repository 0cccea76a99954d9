package io.millrace.micrometer;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceStoreException;
import io.millrace.SequenceTimeoutException;
import java.util.Locale;

/** The outcome of a reservation, as the value of a tag. */
enum Outcome {
  SUCCESS,

  /** No answer within the reservation timeout; the generator cancelled. */
  TIMEOUT,

  /** The store has no such sequence. */
  NOT_FOUND,

  /** No values are left. */
  EXHAUSTED,

  /** The counter moved back. */
  REGRESSION,

  /** The store refused for good, or broke its contract. */
  REFUSED,

  /** Anything else, most often an error of the database or the network. */
  ERROR;

  private final String text = name().toLowerCase(Locale.ROOT);

  static Outcome of(Throwable failure) {
    if (failure instanceof SequenceTimeoutException) {
      return TIMEOUT;
    }
    if (failure instanceof SequenceNotFoundException) {
      return NOT_FOUND;
    }
    if (failure instanceof SequenceExhaustedException) {
      return EXHAUSTED;
    }
    if (failure instanceof SequenceRegressionException) {
      return REGRESSION;
    }
    return failure instanceof SequenceStoreException ? REFUSED : ERROR;
  }

  /** The value of the tag. */
  String text() {
    return text;
  }
}
