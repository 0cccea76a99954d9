package io.millrace.internal;

import io.millrace.InvalidOptionException;
import java.time.Duration;

/** Checks that the options of builders are within their ranges. */
public final class Ranges {

  /** The longest time of any option. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private Ranges() {}

  /**
   * Checks a number.
   *
   * @param option the option, as {@link InvalidOptionException} names it
   * @param min the smallest number that is allowed
   * @param max the largest number that is allowed
   * @throws InvalidOptionException if it is outside the range
   */
  public static long inRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidOptionException(option, value, "must be from " + min + " to " + max);
    }
    return value;
  }

  /**
   * Checks a number.
   *
   * @param option the option, as {@link InvalidOptionException} names it
   * @param min the smallest number that is allowed
   * @param max the largest number that is allowed
   * @throws InvalidOptionException if it is outside the range
   */
  public static int inRange(String option, int value, int min, int max) {
    return (int) inRange(option, (long) value, min, max);
  }

  /**
   * Checks a time, which is at most 365 days.
   *
   * @param option the option, as {@link InvalidOptionException} names it
   * @param min the shortest time that is allowed
   * @throws InvalidOptionException if it is outside the range
   */
  public static Duration inRange(String option, Duration time, Duration min) {
    if (time.compareTo(min) < 0 || time.compareTo(LONGEST) > 0) {
      throw new InvalidOptionException(option, time, "must be from " + min + " to " + LONGEST);
    }
    return time;
  }
}
