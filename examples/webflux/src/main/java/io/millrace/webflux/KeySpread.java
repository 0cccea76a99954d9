package io.millrace.webflux;

import io.millrace.key.BitReversal;
import io.millrace.key.Shards;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToIntFunction;

/** Counts the last rows in each of 64 equal parts of the key space, for three kinds of keys. */
final class KeySpread {

  static final int PARTS = 64;

  private static final int ROWS = 4_096;

  private static final Shards<Long> SHARDS =
      Shards.farmFingerprint(PARTS, id -> ByteBuffer.allocate(Long.BYTES).putLong(id).array());

  /** The numbers of the last rows, of which the newest replaces the oldest. */
  private final long[] ring = new long[ROWS];

  private long rows;

  /**
   * The rows in each part of the key space.
   *
   * @param plain with the number as the key
   * @param reversed with its bits reversed, as the orders have it
   * @param sharded with a shard before the number
   */
  record Counts(List<Integer> plain, List<Integer> reversed, List<Integer> sharded) {}

  /** Adds a row with this number. */
  synchronized void add(long number) {
    ring[(int) (rows++ % ROWS)] = number;
  }

  synchronized Counts counts() {
    return new Counts(
        count(KeySpread::ofPositive),
        count(number -> ofPositive(BitReversal.PRESERVING_SIGN.applyAsLong(number))),
        count(number -> (int) SHARDS.applyAsLong(number)));
  }

  private static int ofPositive(long key) {
    return (int) (key >>> (Long.SIZE - 1 - 6));
  }

  private List<Integer> count(LongToIntFunction part) {
    int[] counts = new int[PARTS];
    Arrays.stream(ring, 0, (int) Math.min(rows, ROWS))
        .forEach(row -> counts[part.applyAsInt(row)]++);
    return Arrays.stream(counts).boxed().toList();
  }
}
