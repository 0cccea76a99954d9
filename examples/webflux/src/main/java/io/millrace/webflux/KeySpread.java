package io.millrace.webflux;

import io.millrace.key.BitReversal;
import io.millrace.key.Shards;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;

/**
 * Counts the last rows in each of 64 equal parts of the key space, for the keys that they have or
 * for other keys.
 */
final class KeySpread {

  static final int PARTS = 64;

  /** Rows that are remembered. */
  private static final int ROWS = 4_096;

  private static final Shards<Long> SHARDS =
      Shards.farmFingerprint(PARTS, id -> ByteBuffer.allocate(Long.BYTES).putLong(id).array());

  /** The rows in each part; the last {@link #ROWS} are in the ring. */
  private final AtomicIntegerArray parts = new AtomicIntegerArray(PARTS);

  private final int[] ring = new int[ROWS];
  private final LongToIntFunction part;
  private int rows;

  private KeySpread(LongToIntFunction part) {
    this.part = part;
  }

  /** The number itself. */
  static KeySpread plain() {
    return new KeySpread(KeySpread::ofPositive);
  }

  /** The number with its bits reversed. */
  static KeySpread reversed() {
    return new KeySpread(id -> ofPositive(BitReversal.PRESERVING_SIGN.applyAsLong(id)));
  }

  /** A shard computed from the number, before it. */
  static KeySpread sharded() {
    return new KeySpread(id -> (int) SHARDS.applyAsLong(id));
  }

  private static int ofPositive(long key) {
    return (int) (key >>> (Long.SIZE - 1 - 6));
  }

  /** Adds a row with this number. */
  synchronized void add(long id) {
    int slot = rows % ROWS;
    if (rows >= ROWS) {
      parts.decrementAndGet(ring[slot]);
    }
    ring[slot] = part.applyAsInt(id);
    parts.incrementAndGet(ring[slot]);
    rows = rows + 1 == 2 * ROWS ? ROWS : rows + 1;
  }

  List<Integer> counts() {
    return IntStream.range(0, PARTS).map(parts::get).boxed().toList();
  }
}
