package io.millrace.key;

import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Logical shards: a small number, computed from a key by a hash, to be put first in the primary key
 * of a table. Keys made one after the other, such as times, then go to ranges far apart. All rows
 * of a range of keys can still be read, with one range of each shard.
 *
 * <pre>{@code
 * orders.transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard))
 * }</pre>
 *
 * <p>Shards are numbered from 0 to n - 1, as {@link Math#floorMod(long, long)} does. The server
 * gives the same for {@link KeyHash#FARM_FINGERPRINT}: {@code MOD(MOD(FARM_FINGERPRINT(x), n) + n,
 * n)} in GoogleSQL and {@code mod(mod(spanner.farm_fingerprint(x), n) + n, n)} in PostgreSQL, where
 * {@code x} is the text or the bytes that the encoder names. A generated column:
 *
 * <pre>{@code
 * ShardId INT64 NOT NULL AS (MOD(MOD(FARM_FINGERPRINT(UserId), 64) + 64, 64)) STORED
 * }</pre>
 *
 * <p>More shards make hotspots rarer and reads over all shards more expensive. Changing their
 * number moves keys to other shards: existing rows must be written again.
 *
 * @param <K> what the shard is computed from
 */
public final class Shards<K> implements KeyFunction<K, Long>, ToLongFunction<K> {

  private final long n;
  private final KeyHash hash;
  private final KeyEncoder<? super K> encoder;

  /** 0, or -(n - 1) where the sign of the hash is kept. */
  private final long first;

  private Shards(long n, KeyHash hash, KeyEncoder<? super K> encoder, long first) {
    this.n = n;
    this.hash = hash;
    this.encoder = encoder;
    this.first = first;
  }

  /**
   * Makes shards of strings by {@link KeyHash#FARM_FINGERPRINT}.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @return the shards
   * @throws IllegalArgumentException if there cannot be {@code n} shards
   */
  public static Shards<String> farmFingerprint(long n) {
    return farmFingerprint(n, KeyEncoder.string());
  }

  /**
   * Makes shards by {@link KeyHash#FARM_FINGERPRINT}.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @param encoder gives the bytes to hash
   * @param <K> what the shard is computed from
   * @return the shards
   * @throws IllegalArgumentException if there cannot be {@code n} shards
   */
  public static <K> Shards<K> farmFingerprint(long n, KeyEncoder<? super K> encoder) {
    return of(n, KeyHash.FARM_FINGERPRINT, encoder);
  }

  /**
   * Makes shards by any hash.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @param hash gives a number for the bytes
   * @param encoder gives the bytes to hash
   * @param <K> what the shard is computed from
   * @return the shards
   * @throws IllegalArgumentException if there cannot be {@code n} shards
   */
  public static <K> Shards<K> of(long n, KeyHash hash, KeyEncoder<? super K> encoder) {
    Counts.require("shards", n);
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(encoder, "encoder");
    return new Shards<>(n, hash, encoder, 0);
  }

  /**
   * Numbers the shards as a plain {@code MOD(FARM_FINGERPRINT(x), n)} does on the server, which
   * keeps the sign of the hash: from -(n - 1) to n - 1, so 2n - 1 shards. Shard 0 gets twice as
   * many keys as each of the others. Of {@link KeyHash#CRC32C}, which is never negative, the shards
   * stay as they are.
   *
   * @return shards of both signs, of the same keys by the same hash
   */
  public Shards<K> preservingSign() {
    return hash == KeyHash.CRC32C ? this : new Shards<>(n, hash, encoder, 1 - n);
  }

  /**
   * Computes a shard. An empty text, which has no bytes, has a shard too, as on the server.
   *
   * @param key what to compute it from
   * @return a number of {@link #values()}
   * @throws KeyFormatException if {@code key} is null or cannot be encoded
   */
  @Override
  public long applyAsLong(K key) {
    long number = hash.toLong(encoder.encode(NullKeys.refuse(key)));
    return first < 0 ? number % n : Math.floorMod(number, n);
  }

  /**
   * Computes a shard. An empty text, which has no bytes, has a shard too, as on the server.
   *
   * @param key what to compute it from
   * @return a number of {@link #values()}
   * @throws KeyFormatException if {@code key} is null or cannot be encoded
   */
  @Override
  public Long apply(K key) {
    return applyAsLong(key);
  }

  /**
   * Returns how many shards there are.
   *
   * @return the number of {@link #values()}: n, or 2n - 1 where the sign of the hash is preserved
   */
  public long count() {
    return n - first;
  }

  /**
   * Returns every shard, for a read over all of them.
   *
   * @return the shards in ascending order
   */
  public LongStream values() {
    return LongStream.range(first, n);
  }

  /** Returns the hash and the range of the shards, as {@code Shards[FARM_FINGERPRINT, 0..63]}. */
  @Override
  public String toString() {
    return "Shards[" + hash + ", " + first + ".." + (n - 1) + "]";
  }
}
