package io.millrace.quickstart;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Shows how rows spread over the key space with plain and with reversed keys, and over shards. */
final class Histogram {

  private static final int PARTS = 16;
  private static final int BAR = 16;

  private final int rows;
  private final int[] plain;
  private final int[] reversed;
  private final int[] byShard;

  /** Counts the rows in {@link #PARTS} shards. */
  Histogram(List<Order> rows) {
    this.rows = rows.size();
    this.plain = count(rows, row -> part(row.number()));
    this.reversed = count(rows, row -> part(row.key()));
    this.byShard = count(rows, Order::shard);
  }

  /** The sixteenth of the numbers from 0 to {@code Long.MAX_VALUE} that a number is in. */
  static long part(long number) {
    return number >>> 59;
  }

  private static int[] count(List<Order> rows, ToLongFunction<Order> part) {
    int[] counts = new int[PARTS];
    rows.forEach(row -> counts[(int) part.applyAsLong(row)]++);
    return counts;
  }

  void print(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%nRows in each sixteenth of the key space, and in each shard. The longest bar of a column"
            + " has %,d, %,d and %,d rows.%n",
        max(plain),
        max(reversed),
        max(byShard));
    out.printf(
        Locale.ROOT,
        "  %4s  %-23s  %-23s  %s%n",
        "part",
        "key = the number",
        "key = its bits reversed",
        "shard of the customer");
    for (int part = 0; part < PARTS; part++) {
      out.printf(
          Locale.ROOT,
          "  %4d  %-23s  %-23s  %s%n",
          part,
          cell(plain, part),
          cell(reversed, part),
          cell(byShard, part));
    }
    out.printf(
        Locale.ROOT,
        "Plain numbers would put %d %% of the rows into one part, where a single server writes"
            + " them. Reversed, the fullest part has %d %%.%n",
        share(plain),
        share(reversed));
  }

  private static int max(int[] counts) {
    return Arrays.stream(counts).max().orElse(0);
  }

  private long share(int[] counts) {
    return Math.round(100.0 * max(counts) / Math.max(1, rows));
  }

  /** A count, and a bar in proportion to it; not empty if there is a row. */
  private static String cell(int[] counts, int part) {
    int length = (int) Math.ceil((double) counts[part] * BAR / Math.max(1, max(counts)));
    return String.format(Locale.ROOT, "%6d %s", counts[part], "#".repeat(length));
  }
}
