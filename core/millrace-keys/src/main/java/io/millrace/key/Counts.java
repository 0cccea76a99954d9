package io.millrace.key;

/** How many shards, salts or buckets there may be. */
final class Counts {

  /** Small enough that a number below it, times the nanoseconds of a second, is a {@code long}. */
  static final long MAX = 1L << 31;

  private Counts() {}

  static void require(String what, long count) {
    if (count < 1 || count > MAX) {
      throw new IllegalArgumentException(what + " must be from 1 to " + MAX + ", was " + count);
    }
  }
}
