package io.millrace.insert;

import org.reactivestreams.Subscription;

/**
 * How many rows are requested from the source. Drain loop only.
 *
 * <p>Invariant: {@code requested - finished <= capacity}, where a row is finished when it was
 * emitted or dropped. After a failure, rows that were not sent no longer count. This bounds
 * everything that is held, because every held row was requested.
 */
final class SourceDemand {

  private final int capacity;

  /** The smallest number of rows in a request. */
  private final int minRequest;

  private long requested;
  private long arrived;
  private long finished;

  SourceDemand(InsertSettings<?> settings) {
    this.capacity = settings.capacity();
    this.minRequest = settings.groupSize() - settings.groupSize() / 4;
  }

  /** Counts a row, and returns its number in the stream, from 1. */
  long rowArrived() {
    return ++arrived;
  }

  void rowGone() {
    finished++;
  }

  /** Requests as many rows as there is room for, if that is enough for a request. */
  void replenish(Subscription source) {
    long free = capacity - (requested - finished);
    if (free >= minRequest) {
      requested += free;
      source.request(free);
    }
  }

  /** Whether no row can arrive before one of the held rows is finished. */
  boolean isUsedUp() {
    return requested <= arrived;
  }
}
