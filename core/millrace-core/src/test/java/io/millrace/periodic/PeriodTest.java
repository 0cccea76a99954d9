package io.millrace.periodic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.Month;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodTest {

  @ParameterizedTest
  @CsvSource({
    "2026-11-23, 2026-11-23, 2026-W48, 2026-11, 2026-Q4, 2026, 2026-27, 2026-27",
    "2026-03-31, 2026-03-31, 2026-W14, 2026-03, 2026-Q1, 2026, 2025-26, 2025-26",
    "2026-04-01, 2026-04-01, 2026-W14, 2026-04, 2026-Q2, 2026, 2026-27, 2025-26",
    "2026-10-01, 2026-10-01, 2026-W40, 2026-10, 2026-Q4, 2026, 2026-27, 2026-27",
    "2027-01-01, 2027-01-01, 2026-W53, 2027-01, 2027-Q1, 2027, 2026-27, 2026-27",
    "2024-12-30, 2024-12-30, 2025-W01, 2024-12, 2024-Q4, 2024, 2024-25, 2024-25",
    "2024-02-29, 2024-02-29, 2024-W09, 2024-02, 2024-Q1, 2024, 2023-24, 2023-24",
    "2099-12-31, 2099-12-31, 2099-W53, 2099-12, 2099-Q4, 2099, 2099-00, 2099-00",
  })
  void eachDateHasOneLabel(
      LocalDate date,
      String day,
      String week,
      String month,
      String quarter,
      String year,
      String fromApril,
      String fromOctober) {
    Locale own = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(Period.DAY.label(date)).isEqualTo(day);
      assertThat(Period.WEEK.label(date)).isEqualTo(week);
      assertThat(Period.MONTH.label(date)).isEqualTo(month);
      assertThat(Period.QUARTER.label(date)).isEqualTo(quarter);
      assertThat(Period.YEAR.label(date)).isEqualTo(year);
      assertThat(Period.fiscalYear(Month.APRIL).label(date)).isEqualTo(fromApril);
      assertThat(Period.fiscalYear(Month.OCTOBER).label(date)).isEqualTo(fromOctober);
      assertThat(Period.fiscalYear(Month.JANUARY).label(date)).isEqualTo(year);
    } finally {
      Locale.setDefault(own);
    }
  }
}
