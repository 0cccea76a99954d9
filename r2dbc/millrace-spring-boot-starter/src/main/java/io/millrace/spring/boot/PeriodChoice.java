package io.millrace.spring.boot;

import io.millrace.periodic.Periods;
import java.util.function.Function;

/** The period after which numbering restarts. */
enum PeriodChoice {
  /** A day, which begins at midnight. */
  DAILY(Periods::daily),
  /** A calendar month. */
  MONTHLY(Periods::monthly),
  /** A calendar year. */
  YEARLY(Periods::yearly);

  private final Function<String, Periods> periods;

  PeriodChoice(Function<String, Periods> periods) {
    this.periods = periods;
  }

  Periods of(String row) {
    return periods.apply(row);
  }
}
