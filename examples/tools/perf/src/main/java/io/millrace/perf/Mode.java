package io.millrace.perf;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The ways to take values. The names are those of the command line. */
enum Mode {
  SIMPLE("in the application's transaction, one value each"),
  SYNC("the same, --per-transaction values each"),
  ASYNC("ordered, in transactions that all waiting clients share"),
  BATCH("a block of 200 at a time, when the buffer is empty"),
  ASYNC_BATCH("a block of 200 at a time, when 50 are left"),
  ADAPTIVE("the same, with adaptive block size and watermark"),
  NATIVE("as ASYNC_BATCH, from Spanner's own bit-reversed sequence"),
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

  /** Whether every client holds a session, even if the application has no transaction. */
  boolean holdsSessions() {
    return isInTransaction() || this == ONE_TXN_EACH;
  }

  /** Finds a mode by its name, in upper or lower case and with dashes or underscores. */
  static Optional<Mode> named(String name) {
    String wanted = name.toUpperCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(values()).filter(mode -> mode.name().equals(wanted)).findFirst();
  }
}
