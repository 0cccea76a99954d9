package io.millrace.quickstart;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Draws how rows spread over shards, and over the key space with plain and with reversed keys. */
final class Histogram {

  private static final int PARTS = 16;
  private static final int BAR = 24;

  private final PrintStream out;
  private final List<Order> rows;

  Histogram(PrintStream out, List<Order> rows) {
    this.out = out;
    this.rows = rows;
  }

  void print(long shards) {
    out.printf(Locale.ROOT, "%nRows in each shard, by customer:%n");
    int[] byShard = count((int) shards, Order::shard);
    for (int shard = 0; shard < byShard.length; shard++) {
      out.printf(Locale.ROOT, "  %5d  %6d %s%n", shard, byShard[shard], bar(byShard[shard]));
    }

    out.printf(
        Locale.ROOT,
        "%nRows in each sixteenth of the key space, if the key were the plain number, and with its"
            + " bits reversed:%n");
    int[] plain = count(PARTS, row -> part(row.number()));
    int[] spread = count(PARTS, row -> part(row.key()));
    for (int part = 0; part < PARTS; part++) {
      out.printf(
          Locale.ROOT,
          "  %5d  %6d %-" + BAR + "s  %6d %s%n",
          part,
          plain[part],
          bar(plain[part]),
          spread[part],
          bar(spread[part]));
    }
  }

  /** The sixteenth of the numbers from 0 to {@code Long.MAX_VALUE} that a number is in. */
  static long part(long number) {
    return number >>> 59;
  }

  private int[] count(int parts, ToLongFunction<Order> part) {
    int[] counts = new int[parts];
    rows.forEach(row -> counts[(int) part.applyAsLong(row)]++);
    return counts;
  }

  /** A bar in proportion to the share of all rows; not empty if there is a row. */
  private String bar(int count) {
    int length = (int) Math.ceil((double) count * BAR / Math.max(1, rows.size()));
    return "#".repeat(length);
  }
}
