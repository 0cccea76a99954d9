package io.millrace.perf;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The ways to take values. The names are those of the command line. */
enum Mode {
  SIMPLE("in the application's transaction, one value each"),
  SYNC("the same, --per-transaction values each"),
  ASYNC("ordered, in transactions that all waiting clients share"),
  BATCH("a block at a time, when the buffer is empty"),
  ASYNC_BATCH("a block at a time, before it is needed"),
  ADAPTIVE("the same, with adaptive block size and watermark"),
  NATIVE("the same, from Spanner's own bit-reversed sequence"),
  ONE_TXN_EACH("naive: a separate transaction for each value"),
  COUNTER("the limit: an AtomicLong in place of a generator"),
  BY_HAND("SIMPLE and SYNC by hand, in the client's own transactions");

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  /** A description to print. */
  String text() {
    return text;
  }

  /** Whether values are taken in the application's transaction. */
  boolean isInTransaction() {
    return this == SIMPLE || this == SYNC || this == BY_HAND;
  }

  /** Whether values come from reservations of a store. */
  boolean reserves() {
    return !isInTransaction() && this != COUNTER;
  }

  /** Whether a transaction may take several values. */
  boolean takesSeveral() {
    return this == SYNC || this == BY_HAND;
  }

  /** Whether this mode is not a generator of this project, but serves as a comparison. */
  boolean isComparison() {
    return this == COUNTER || this == BY_HAND;
  }

  /** The mode to compare with: the limit, or the same work by hand. */
  Mode comparison() {
    return isInTransaction() ? BY_HAND : COUNTER;
  }

  /** Whether the block size is an option of this mode. */
  boolean hasBlockSize() {
    return this == BATCH || hasWatermark();
  }

  /** Whether the watermark is an option of this mode. */
  boolean hasWatermark() {
    return this == ASYNC_BATCH || this == NATIVE;
  }

  /** Whether a value identifies its reservation; true for blocks of a single counter row. */
  boolean tellsReservation() {
    return this == ASYNC || this == BATCH || this == ASYNC_BATCH || this == ADAPTIVE;
  }

  /**
   * Whether every client holds a transaction, and therefore a session, at the same time, even if
   * the application itself has no transaction.
   */
  boolean holdsSessions() {
    return isInTransaction() || this == ONE_TXN_EACH;
  }

  /** Finds a mode by its name, in upper or lower case and with dashes or underscores. */
  static Optional<Mode> named(String name) {
    String wanted = name.toUpperCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(values()).filter(mode -> mode.name().equals(wanted)).findFirst();
  }

  static String names() {
    return names(mode -> true);
  }

  /** The names of some modes. */
  static String names(Predicate<Mode> which) {
    return Arrays.stream(values()).filter(which).map(Mode::name).collect(Collectors.joining(", "));
  }
}
