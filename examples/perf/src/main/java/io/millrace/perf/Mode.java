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
  ASYNC("ordered, in transactions of its own, which all who wait share"),
  BATCH("a block at a time, when the buffer is empty"),
  ASYNC_BATCH("a block at a time, ahead of need"),
  ADAPTIVE("the same, size and watermark found by the generator"),
  NATIVE("the same, from Spanner's own bit-reversed sequence"),
  STRIPED("the same, from several rows in turn"),
  ONE_TXN_EACH("naive: a transaction of its own for every value");

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  /** What it does, for people. */
  String text() {
    return text;
  }

  /** Whether values are taken in the application's transaction, and nothing is reserved. */
  boolean isInTransaction() {
    return this == SIMPLE || this == SYNC;
  }

  /** Whether its block size is an option. */
  boolean hasBatchSize() {
    return this == BATCH || hasWatermark();
  }

  /** Whether its watermark is an option. */
  boolean hasWatermark() {
    return this == ASYNC_BATCH || this == NATIVE || this == STRIPED;
  }

  /** Whether a value tells which reservation obtained it: those of one row, in blocks. */
  boolean tellsReservation() {
    return this == ASYNC || this == BATCH || this == ASYNC_BATCH || this == ADAPTIVE;
  }

  /** Whether every client has a transaction, and with it a session, at a time. */
  boolean holdsSessions() {
    return isInTransaction() || this == ONE_TXN_EACH;
  }

  /** Finds a mode by its name, in either case and with dashes or underscores. */
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
