package io.millrace.periodic;

import java.time.LocalDate;
import java.time.Month;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * Assigns a date to a period, in which numbers count from the start again: one of the constants, or
 * any function of the date, such as {@code date -> "FY" + date.plusMonths(3).getYear()}. Dates with
 * the same label are in the same period.
 *
 * <p>A function must be pure and must not block. Its labels must be of the same length, not blank,
 * and without {@code /} and control characters.
 */
@FunctionalInterface
public interface Period {

  /** Days, such as {@code 2026-11-23}. */
  Period DAY = LocalDate::toString;

  /** Weeks of ISO 8601, such as {@code 2026-W48}. 2027-01-01 is in {@code 2026-W53}. */
  Period WEEK =
      date ->
          String.format(
              Locale.ROOT,
              "%d-W%02d",
              date.get(IsoFields.WEEK_BASED_YEAR),
              date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));

  /** Months, such as {@code 2026-11}. */
  Period MONTH = date -> YearMonth.from(date).toString();

  /** Quarters of calendar years, such as {@code 2026-Q4}. */
  Period QUARTER = date -> date.getYear() + "-Q" + date.get(IsoFields.QUARTER_OF_YEAR);

  /** Calendar years, such as {@code 2026}. */
  Period YEAR = date -> Integer.toString(date.getYear());

  /**
   * Returns years that begin with another month than January, such as {@code 2026-27}.
   *
   * @param first the first month of a year; with {@code JANUARY}, returns {@link #YEAR}
   */
  static Period fiscalYear(Month first) {
    return first == Month.JANUARY
        ? YEAR
        : date -> {
          int year = date.minusMonths(first.getValue() - 1L).getYear();
          return String.format(Locale.ROOT, "%d-%02d", year, (year + 1) % 100);
        };
  }

  /**
   * Returns the period of a date.
   *
   * @param date a day in the zone of the numbers
   * @return the label of the period, part of the name of its row
   */
  String label(LocalDate date);
}
