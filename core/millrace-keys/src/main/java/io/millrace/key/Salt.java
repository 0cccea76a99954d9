package io.millrace.key;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Gives a random number, to spread rows whose keys are alike: {@code random(100)} in {@code
 * [userid][orderid][random(100)]} of the guide "Design primary keys for Lindorm wide tables".
 *
 * <pre>{@code
 * orders.transform(Salt.below(100).assign(Order::withSalt))
 * }</pre>
 *
 * <p>This function is random: the same input gives another number each time, whatever the input is.
 * To find the row again, keep the number, or look under all numbers.
 */
public final class Salt implements KeyFunction<Object, Long> {

  private final long count;
  private final Supplier<? extends RandomGenerator> random;

  private Salt(long count, Supplier<? extends RandomGenerator> random) {
    this.count = count;
    this.random = random;
  }

  /**
   * Creates a salt from each thread's {@link ThreadLocalRandom}, which never blocks, and can be
   * guessed.
   *
   * @param count how many numbers, from 1 to 2147483648
   * @return a function to the numbers from 0 to {@code count - 1}
   * @throws IllegalArgumentException if {@code count} is out of its range
   */
  public static Salt below(long count) {
    return below(count, ThreadLocalRandom::current);
  }

  /**
   * Creates a salt from a source of randomness.
   *
   * @param count how many numbers, from 1 to 2147483648
   * @param random asked for a generator at each number, on the thread that wants the number
   * @return a function to the numbers from 0 to {@code count - 1}
   * @throws IllegalArgumentException if {@code count} is out of its range
   */
  public static Salt below(long count, Supplier<? extends RandomGenerator> random) {
    Counts.require("salts", count);
    return new Salt(count, Objects.requireNonNull(random, "random"));
  }

  /**
   * Draws a number.
   *
   * @return a number from 0 to {@code count() - 1}
   */
  public long next() {
    return random.get().nextLong(count);
  }

  /**
   * Draws a number.
   *
   * @param key ignored
   * @return a number from 0 to {@code count() - 1}
   */
  @Override
  public Long apply(Object key) {
    return next();
  }

  /**
   * Makes a codec that appends the number to a text: with 100 numbers, {@code "user7"} becomes
   * {@code "user700"} to {@code "user799"}. All suffixes have as many decimal digits as the largest
   * one. The same text gets another suffix each time; {@code decode} removes any of them.
   *
   * @return a codec that draws from this salt. It throws {@link KeyFormatException} for null and
   *     for a text with an unpaired surrogate
   */
  public KeyCodec<String, String> suffix() {
    return new SaltSuffix(this);
  }

  /**
   * Lists every key that {@link #suffix()} may make of a text, for reads that look under all of
   * them.
   *
   * @param key the text
   * @return as many keys as there are numbers, in ascending order
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  public Stream<String> suffixed(String key) {
    return new SaltSuffix(this).candidates(key);
  }

  /**
   * Returns how many numbers there are.
   *
   * @return the count that {@link #below(long)} was given
   */
  public long count() {
    return count;
  }

  /**
   * Lists the numbers, for reads over all of them.
   *
   * @return from 0 to {@code count() - 1}
   */
  public LongStream values() {
    return LongStream.range(0, count);
  }

  @Override
  public String toString() {
    return "Salt[count=" + count + "]";
  }
}
