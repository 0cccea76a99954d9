package io.millrace.spring.boot;

import static io.millrace.periodic.Period.fiscalYear;

import io.millrace.periodic.Period;
import java.time.Month;

/** The period after which numbering restarts. */
enum PeriodChoice {
  DAY(Period.DAY),
  WEEK(Period.WEEK),
  MONTH(Period.MONTH),
  QUARTER(Period.QUARTER),
  YEAR(Period.YEAR),
  YEAR_FROM_FEBRUARY(fiscalYear(Month.FEBRUARY)),
  YEAR_FROM_MARCH(fiscalYear(Month.MARCH)),
  YEAR_FROM_APRIL(fiscalYear(Month.APRIL)),
  YEAR_FROM_MAY(fiscalYear(Month.MAY)),
  YEAR_FROM_JUNE(fiscalYear(Month.JUNE)),
  YEAR_FROM_JULY(fiscalYear(Month.JULY)),
  YEAR_FROM_AUGUST(fiscalYear(Month.AUGUST)),
  YEAR_FROM_SEPTEMBER(fiscalYear(Month.SEPTEMBER)),
  YEAR_FROM_OCTOBER(fiscalYear(Month.OCTOBER)),
  YEAR_FROM_NOVEMBER(fiscalYear(Month.NOVEMBER)),
  YEAR_FROM_DECEMBER(fiscalYear(Month.DECEMBER));

  private final Period period;

  PeriodChoice(Period period) {
    this.period = period;
  }

  Period period() {
    return period;
  }
}
