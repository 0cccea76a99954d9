package io.millrace;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The largest value that a sequence may issue, optionally named after the type that stores the
 * values.
 *
 * <pre>{@code
 * SequenceGenerator.builder(store, "invoice_id").maxValue(MaxValue.INT32)
 * }</pre>
 */
public final class MaxValue {

  /** A signed integer of 32 bits, {@code INT} in SQL: 2,147,483,647. */
  public static final MaxValue INT32 = new MaxValue("INT32", Integer.MAX_VALUE);

  /** The largest integer up to which JavaScript numbers are exact: 2^53 - 1. */
  public static final MaxValue JAVASCRIPT = new MaxValue("JAVASCRIPT", (1L << 53) - 1);

  /** A signed integer of 64 bits, {@code BIGINT} in SQL: 2^63 - 1. */
  public static final MaxValue INT64 = new MaxValue("INT64", Long.MAX_VALUE);

  private static final int MOST_DIGITS = 1_000;

  private static final Pattern NUMERIC = Pattern.compile("NUMERIC\\(\\s*(\\d{1,9})\\s*\\)");

  /** The name of the type; null for a plain number. */
  private final @Nullable String type;

  private final long value;

  private MaxValue(@Nullable String type, long value) {
    this.type = type;
    this.value = value;
  }

  /**
   * Returns the largest decimal number without a fraction.
   *
   * @param digits the number of digits that the column stores, from 1 to 1,000; 19 or more hold
   *     every {@code long}
   * @return 10^digits - 1, or {@link Long#MAX_VALUE} if that is smaller
   * @throws InvalidOptionException if {@code digits} is outside that range
   */
  public static MaxValue numeric(int digits) {
    if (digits < 1 || digits > MOST_DIGITS) {
      throw new InvalidOptionException(
          "maxValue",
          digits,
          null,
          "maxValue NUMERIC must have from 1 to " + MOST_DIGITS + " digits, was " + digits);
    }
    BigInteger largest = BigInteger.TEN.pow(digits).subtract(BigInteger.ONE);
    return new MaxValue(
        "NUMERIC(" + digits + ")", largest.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue());
  }

  /**
   * Returns a plain number.
   *
   * @param value any value
   */
  public static MaxValue of(long value) {
    return new MaxValue(null, value);
  }

  /**
   * Parses a limit.
   *
   * @param text {@code INT32}, {@code INT64}, {@code JAVASCRIPT}, {@code NUMERIC(9)} (any number of
   *     digits from 1 to 1,000), or a whole number; upper or lower case
   * @throws InvalidOptionException if the text is none of these; the message quotes it
   */
  public static MaxValue parse(String text) {
    String plain = text.strip().toUpperCase(Locale.ROOT);
    for (MaxValue each : new MaxValue[] {INT32, JAVASCRIPT, INT64}) {
      if (plain.equals(each.type)) {
        return each;
      }
    }
    Matcher numeric = NUMERIC.matcher(plain);
    if (numeric.matches()) {
      return numeric(Integer.parseInt(numeric.group(1)));
    }
    try {
      return of(Long.parseLong(plain));
    } catch (NumberFormatException notANumber) {
      throw new InvalidOptionException(
          "maxValue",
          text,
          "must be INT32, INT64, JAVASCRIPT, NUMERIC(digits) or a whole number up to "
              + Long.MAX_VALUE);
    }
  }

  /** {@return the largest value that may be issued} */
  public long value() {
    return value;
  }

  /** {@return whether this limit is named after a type} */
  public boolean isType() {
    return type != null;
  }

  /** Two limits are equal if they have the same number and the same name. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MaxValue that && value == that.value && Objects.equals(type, that.type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, value);
  }

  /** {@code 2147483647 (INT32)}, or the number alone. */
  @Override
  public String toString() {
    return type == null ? Long.toString(value) : value + " (" + type + ")";
  }
}
