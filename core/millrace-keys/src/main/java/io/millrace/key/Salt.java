package io.millrace.key;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Returns a random number that spreads rows with similar keys: {@code random(100)} in {@code
 * [userid][orderid][random(100)]} of the guide "Design primary keys for Lindorm wide tables".
 *
 * <pre>{@code
 * orders.transform(Salt.below(100).assign(Order::withSalt))
 * }</pre>
 *
 * <p>This function is random: it ignores its input and returns another number each time. To find
 * the row again, store the number, or search all numbers.
 */
public final class Salt implements KeyFunction<Object, Long> {

  private final long count;
  private final Supplier<? extends RandomGenerator> random;

  private Salt(long count, Supplier<? extends RandomGenerator> random) {
    this.count = count;
    this.random = random;
  }

  /**
   * Creates a salt from each thread's {@link ThreadLocalRandom}, which never blocks but is
   * predictable.
   *
   * @param count the number of salts, from 1 to 2147483648
   * @return a function that returns numbers from 0 to {@code count - 1}
   * @throws IllegalArgumentException if {@code count} is out of range
   */
  public static Salt below(long count) {
    return below(count, ThreadLocalRandom::current);
  }

  /**
   * Creates a salt from a source of randomness.
   *
   * @param count the number of salts, from 1 to 2147483648
   * @param random supplies the source of each number, on the calling thread
   * @return a function that returns numbers from 0 to {@code count - 1}
   * @throws IllegalArgumentException if {@code count} is out of range
   */
  public static Salt below(long count, Supplier<? extends RandomGenerator> random) {
    Counts.require("salts", count);
    return new Salt(count, Objects.requireNonNull(random, "random"));
  }

  /** {@return a random number from 0 to {@code count() - 1}} */
  public long next() {
    return random.get().nextLong(count);
  }

  /**
   * Returns a random number.
   *
   * @param key ignored
   * @return a number from 0 to {@code count() - 1}
   */
  @Override
  public Long apply(Object key) {
    return next();
  }

  /**
   * Returns a codec that appends a random number to a text: with 100 salts, {@code "user7"} becomes
   * {@code "user700"} to {@code "user799"}. All suffixes have as many decimal digits as the largest
   * one. The suffix differs each time; {@code decode} removes any of them.
   *
   * @return a codec that throws {@link KeyFormatException} for null and for a text with an unpaired
   *     surrogate
   */
  public KeyCodec<String, String> suffix() {
    return new SaltSuffix(this);
  }

  /**
   * Returns every key that {@link #suffix()} may return for a text, for reads over all of them.
   *
   * @return as many keys as there are salts, in ascending order
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  public Stream<String> suffixed(String key) {
    return new SaltSuffix(this).candidates(key);
  }

  /** {@return the number of salts} */
  public long count() {
    return count;
  }

  /** {@return the numbers from 0 to {@code count() - 1}, for reads over all of them} */
  public LongStream values() {
    return LongStream.range(0, count);
  }

  @Override
  public String toString() {
    return "Salt[count=" + count + "]";
  }
}
