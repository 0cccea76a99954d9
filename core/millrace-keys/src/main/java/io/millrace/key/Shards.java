package io.millrace.key;

import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Logical shards: a small number, computed from a key by a hash, as the first part of the primary
 * key of a table. It spreads consecutive keys, such as times, over the key space. A range of keys
 * can still be read, as one range of each shard.
 *
 * <pre>{@code
 * orders.transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard))
 * }</pre>
 *
 * <p>Shards are numbered from 0 to n - 1, as by {@link Math#floorMod(long, long)}. For {@link
 * KeyHash#FARM_FINGERPRINT}, the server's expression is {@code MOD(MOD(FARM_FINGERPRINT(x), n) + n,
 * n)} in GoogleSQL and {@code mod(mod(spanner.farm_fingerprint(x), n) + n, n)} in PostgreSQL, where
 * {@code x} is the text or the bytes documented by the encoder. A generated column:
 *
 * <pre>{@code
 * ShardId INT64 NOT NULL AS (MOD(MOD(FARM_FINGERPRINT(UserId), 64) + 64, 64)) STORED
 * }</pre>
 *
 * <p>More shards make hotspots rarer and reads over all shards more expensive. Changing their
 * number moves keys to other shards: existing rows must be rewritten.
 *
 * @param <K> the type of the source value
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
   * Creates shards of strings by {@link KeyHash#FARM_FINGERPRINT}.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @throws IllegalArgumentException if {@code n} is out of range
   */
  public static Shards<String> farmFingerprint(long n) {
    return farmFingerprint(n, KeyEncoder.string());
  }

  /**
   * Creates shards by {@link KeyHash#FARM_FINGERPRINT}.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @param encoder returns the bytes to hash
   * @throws IllegalArgumentException if {@code n} is out of range
   */
  public static <K> Shards<K> farmFingerprint(long n, KeyEncoder<? super K> encoder) {
    return of(n, KeyHash.FARM_FINGERPRINT, encoder);
  }

  /**
   * Creates shards by any hash.
   *
   * @param n the number of shards, from 1 to 2147483648
   * @param hash the hash of the bytes
   * @param encoder returns the bytes to hash
   * @throws IllegalArgumentException if {@code n} is out of range
   */
  public static <K> Shards<K> of(long n, KeyHash hash, KeyEncoder<? super K> encoder) {
    Counts.require("shards", n);
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(encoder, "encoder");
    return new Shards<>(n, hash, encoder, 0);
  }

  /**
   * Returns the shards that a plain {@code MOD(FARM_FINGERPRINT(x), n)} computes on the server,
   * which preserves the sign of the hash: from -(n - 1) to n - 1, so 2n - 1 shards. Shard 0 has
   * twice as many keys as each of the others. The shards of {@link KeyHash#CRC32C}, which is never
   * negative, do not change.
   *
   * @return shards of both signs, by the same hash
   */
  public Shards<K> preservingSign() {
    return hash == KeyHash.CRC32C ? this : new Shards<>(n, hash, encoder, 1 - n);
  }

  /**
   * Returns the shard of a key. An empty text has a shard as well, as on the server.
   *
   * @return one of {@link #values()}
   * @throws KeyFormatException if {@code key} is null or cannot be encoded
   */
  @Override
  public long applyAsLong(K key) {
    long number = hash.toLong(encoder.encode(NullKeys.refuse(key)));
    return first < 0 ? number % n : Math.floorMod(number, n);
  }

  /**
   * Returns the shard of a key. An empty text has a shard as well, as on the server.
   *
   * @return one of {@link #values()}
   * @throws KeyFormatException if {@code key} is null or cannot be encoded
   */
  @Override
  public Long apply(K key) {
    return applyAsLong(key);
  }

  /** {@return the number of shards: n, or 2n - 1 if the sign of the hash is preserved} */
  public long count() {
    return n - first;
  }

  /** {@return all shards in ascending order, for reads over all of them} */
  public LongStream values() {
    return LongStream.range(first, n);
  }

  /** Returns the hash and the range of the shards, as {@code Shards[FARM_FINGERPRINT, 0..63]}. */
  @Override
  public String toString() {
    return "Shards[" + hash + ", " + first + ".." + (n - 1) + "]";
  }
}
