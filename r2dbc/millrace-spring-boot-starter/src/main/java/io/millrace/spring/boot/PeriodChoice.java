package io.millrace.spring.boot;

import io.millrace.periodic.Periods;
import java.util.function.Function;

/** How long the periods are after which numbers start again. */
enum PeriodChoice {
  /** A day, which begins at midnight. */
  DAILY(Periods::daily),
  /** A month of the calendar. */
  MONTHLY(Periods::monthly),
  /** A year of the calendar. */
  YEARLY(Periods::yearly);

  private final Function<String, Periods> periods;

  PeriodChoice(Function<String, Periods> periods) {
    this.periods = periods;
  }

  Periods of(String row) {
    return periods.apply(row);
  }
}
