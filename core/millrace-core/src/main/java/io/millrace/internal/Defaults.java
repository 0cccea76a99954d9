package io.millrace.internal;

import java.time.Duration;

/** Defaults of options that several modules need. */
public final class Defaults {

  /** The table of counters. */
  public static final String TABLE = "sequences";

  /** Its column of names, the key. */
  public static final String NAME_COLUMN = "name";

  /** Its column of next values. */
  public static final String VALUE_COLUMN = "next_value";

  /** Characters that the column of names holds. */
  public static final int NAME_LENGTH = 64;

  /** Values of the smallest adaptive block. */
  public static final long ADAPTIVE_MIN = 10;

  /** Values of the largest reservation with adaptive sizes. */
  public static final long ADAPTIVE_MAX = 100_000;

  /** How long the values that an adaptive generator buffers may last. */
  public static final Duration ADAPTIVE_TARGET = Duration.ofSeconds(10);

  /** The time of one attempt to reserve. */
  public static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(10);

  private Defaults() {}
}
