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
    if (time.isBefore(FIRST_TIME) || time.isAfter(LAST_TIME)) {
      throw refused(what, FIRST_TIME, LAST_TIME, time.isAfter(LAST_TIME));
    }
    return time;
  }

  static LocalDate require(String what, LocalDate date) {
    if (date.isBefore(FIRST_DATE) || date.isAfter(LAST_DATE)) {
      throw refused(what, FIRST_DATE, LAST_DATE, date.isAfter(LAST_DATE));
    }
    return date;
  }

  /** The value may be a row's, so the message says only whether it is too early or too late. */
  private static KeyFormatException refused(
      String what, Object first, Object last, boolean isLater) {
    return new KeyFormatException(
        (what + " must be from " + first + " to " + last + ", was ")
            + (isLater ? "later" : "earlier"));
  }
}
