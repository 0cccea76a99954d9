package io.millrace.periodic;

import io.millrace.internal.ShownText;
import java.time.LocalDate;
import java.util.List;

/**
 * The row that counts the numbers of a period, from {@link Periods#now} or {@link Periods#at}. Use
 * it to take the numbers from another source, such as {@code TransactionalSequences}: take them
 * from the sequence {@link #name}, and format them with {@link #value}.
 */
public final class PeriodicRow {

  private final Periods periods;
  private final LocalDate date;
  private final String period;

  PeriodicRow(Periods periods, LocalDate date) {
    this.periods = periods;
    this.date = date;
    this.period = periods.label(date);
  }

  /** {@return the name of the sequence, such as {@code invoice/2026-11}} */
  public String name() {
    return periods.row(period);
  }

  /** {@return the period, such as {@code 2026-11}} */
  public String period() {
    return period;
  }

  /**
   * Formats a number.
   *
   * @param number a number of the sequence
   * @return the number with its period, its text and the day
   */
  public PeriodicValue value(long number) {
    return new PeriodicValue(period, number, periods.text(date, number), date);
  }

  List<PeriodicValue> values(List<Long> numbers) {
    return numbers.stream().map(this::value).toList();
  }

  @Override
  public String toString() {
    return "PeriodicRow[" + ShownText.name(name()) + "]";
  }
}
