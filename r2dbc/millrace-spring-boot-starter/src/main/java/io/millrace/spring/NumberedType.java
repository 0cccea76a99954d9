package io.millrace.spring;

import io.millrace.internal.NumberFormat;
import org.jspecify.annotations.Nullable;

/**
 * How a number becomes the value of a property.
 *
 * @param type the type of the property, not primitive
 * @param format how the number is written; null if the property is a number
 */
record NumberedType(Class<?> type, @Nullable NumberFormat format) {

  boolean isText() {
    return format != null;
  }

  /** Whether Spring Data has no value here. */
  boolean isUnset(@Nullable Object value) {
    return value == null
        || value.equals("")
        || (value instanceof Number number && number.longValue() == 0);
  }

  /**
   * Makes the value.
   *
   * @throws ArithmeticException if the type does not hold the number
   */
  Object of(long number) {
    if (format != null) {
      return format.format(number);
    }
    if (type == Long.class) {
      return number;
    }
    if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
      throw new ArithmeticException(
          "an Integer holds at most "
              + Integer.MAX_VALUE
              + ": use Long, or set max-value: 2147483647 for the sequence");
    }
    return (int) number;
  }
}
