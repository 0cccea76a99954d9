package io.millrace.insert;

import org.reactivestreams.Subscription;

/**
 * How many rows are asked of the source. Drain loop only.
 *
 * <p>Invariant: {@code asked - gone <= capacity}, where a row is gone when it was emitted or
 * dropped. It bounds everything that is held, since every row held was asked for.
 */
final class SourceDemand {

  private final int capacity;

  /** The source is asked for so many rows at a time, or more. */
  private final int least;

  private long asked;
  private long arrived;
  private long gone;

  SourceDemand(InsertSettings<?> settings) {
    this.capacity = settings.capacity();
    this.least = settings.groupSize() - settings.groupSize() / 4;
  }

  /** Counts a row, and returns its number in the stream, from 1. */
  long rowArrived() {
    return ++arrived;
  }

  void rowGone() {
    gone++;
  }

  /** Asks for as many rows as there is room for, if that is worth a request. */
  void replenish(Subscription source) {
    long free = capacity - (asked - gone);
    if (free >= least) {
      asked += free;
      source.request(free);
    }
  }

  /** Whether no row comes before one of those held is gone. */
  boolean isUsedUp() {
    return asked <= arrived;
  }
}
