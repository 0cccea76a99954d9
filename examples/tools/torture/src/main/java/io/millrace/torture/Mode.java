package io.millrace.torture;

import java.util.Locale;

/** The ways to take values. Each has a separate sequence, which starts at 1. */
enum Mode {
  /** Reservations as large as the demand; values rise over all processes. */
  ORDERED,
  /** Blocks of a fixed size. */
  BATCH,
  /** Blocks of a fixed size, the next reserved ahead. */
  WATERMARK,
  /** Block and watermark follow the consumption. */
  ADAPTIVE,
  /** Blocks of Spanner's own sequence. */
  NATIVE,
  /** Numbers taken in the transaction that inserts a row. */
  TRANSACTIONAL,
  /** Numbers of rows of concurrent requests that share transactions. */
  WRITER;

  /** How many subscribers a process has at a time, in each mode. */
  static final int LANES = 2;

  String sequence() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether each value is the number of a row that is inserted with it. */
  boolean insertsRows() {
    return this == TRANSACTIONAL || this == WRITER;
  }

  /** The table of the rows. */
  String table() {
    return "rows_" + sequence();
  }

  /** The most requests that a subscriber makes at a time. */
  int burst() {
    return this == WRITER ? 20 : 1;
  }

  /** Whether a request is recorded with the times of its start and its end. */
  boolean isTimed() {
    return this == ORDERED || insertsRows();
  }

  /** Whether the values of one subscription rise. */
  boolean risesInSubscription() {
    return this == BATCH || this == WATERMARK || this == ADAPTIVE;
  }

  /** Whether values are 1, 2, 3 and so on, apart from gaps. */
  boolean isDense() {
    return this != NATIVE;
  }

  /** Whether values can be released to the store, which moves the counter back. */
  boolean isReleasable() {
    return this != NATIVE && !insertsRows();
  }
}
