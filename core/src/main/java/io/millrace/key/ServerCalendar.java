package io.millrace.key;

import java.time.Instant;
import java.time.LocalDate;

/** The times and dates that the server knows: those of the years 1 to 9999. */
final class ServerCalendar {

  private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final LocalDate FIRST_DATE = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST_DATE = LocalDate.of(9999, 12, 31);

  private ServerCalendar() {}

  static Instant require(String what, Instant time) {
    boolean known = !time.isBefore(FIRST_TIME) && !time.isAfter(LAST_TIME);
    return require(what, FIRST_TIME, LAST_TIME, time, known);
  }

  static LocalDate require(String what, LocalDate date) {
    boolean known = !date.isBefore(FIRST_DATE) && !date.isAfter(LAST_DATE);
    return require(what, FIRST_DATE, LAST_DATE, date, known);
  }

  private static <T> T require(String what, T first, T last, T value, boolean known) {
    if (!known) {
      throw new KeyFormatException(
          what + " must be from " + first + " to " + last + ", was " + value);
    }
    return value;
  }
}
