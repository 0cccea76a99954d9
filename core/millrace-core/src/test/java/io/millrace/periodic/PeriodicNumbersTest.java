package io.millrace.periodic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.TransactionalSequences;
import io.millrace.test.InMemorySequenceStore;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class PeriodicNumbersTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final SettableClock clock = SettableClock.at("2026-12-31T22:59:59Z");
  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final TransactionalSequences<String> counters = store.transactionals();
  private final PeriodicNumbers invoices =
      PeriodicNumbers.of("invoice", Period.YEAR).clock(clock).zone(BERLIN);

  private String taken(PeriodicNumbers numbers) {
    return Objects.requireNonNull(numbers.next(counters, "transaction").block()).text();
  }

  @Test
  void countsFromOneInEachYearOfTheZone() {
    assertThat(invoices.next(counters, "transaction").block())
        .isEqualTo(new PeriodicValue("2026", 1, "2026-000001", LocalDate.of(2026, 12, 31)));
    assertThat(taken(invoices)).isEqualTo("2026-000002");
    clock.set("2026-12-31T23:00:00Z");
    assertThat(invoices.next(counters, "transaction", 2).block())
        .containsExactly(
            new PeriodicValue("2027", 1, "2027-000001", LocalDate.of(2027, 1, 1)),
            new PeriodicValue("2027", 2, "2027-000002", LocalDate.of(2027, 1, 1)));
    clock.set("2026-12-31T22:59:59Z"); // the clock goes back
    assertThat(taken(invoices)).isEqualTo("2026-000003");
    assertThat(store.state("invoice/2027").block()).isEqualTo(new SequenceState("invoice/2027", 3));
  }

  @Test
  void readsTheClockAtEachSubscription() {
    Mono<PeriodicValue> next = invoices.next(counters, "transaction");
    for (String year : List.of("2026", "2027", "2028")) {
      clock.set(year + "-06-01T00:00:00Z");
      assertThat(next.map(PeriodicValue::text).block()).isEqualTo(year + "-000001");
    }
  }

  @Test
  void startsEachPeriodWithTheStartValue() {
    PeriodicNumbers high = invoices.startValue(10_001);
    assertThat(taken(high)).isEqualTo("2026-010001");
    clock.set("2027-06-01T00:00:00Z");
    assertThat(taken(high)).isEqualTo("2027-010001");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> invoices.startValue(Long.MAX_VALUE))
        .withMessageContaining("9223372036854775806");
  }

  @Test
  void countsEachTenantSeparately() {
    assertThat(taken(invoices.forTenant("acme"))).isEqualTo("2026-000001");
    assertThat(taken(invoices.forTenant("acme"))).isEqualTo("2026-000002");
    assertThat(taken(invoices.forTenant("other"))).isEqualTo("2026-000001");
    assertThat(taken(invoices)).isEqualTo("2026-000001");
    assertThat(store.state("invoice/acme/2026").block())
        .isEqualTo(new SequenceState("invoice/acme/2026", 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", "/", "a/b", "acme/", "a\nb", "a\u0000b", "a\u007f"})
  void refusesNamesTenantsAndLabelsThatCouldShareARow(String text) {
    for (String option : List.of("name", "tenant", "period")) {
      assertThatExceptionOfType(InvalidOptionException.class)
          .isThrownBy(
              () -> {
                switch (option) {
                  case "name" -> PeriodicNumbers.of(text, Period.YEAR);
                  case "tenant" -> invoices.forTenant(text);
                  default -> PeriodicNumbers.of("invoice", date -> text).now();
                }
              })
          .withMessageStartingWith(
              option + " must not be blank, and must not contain / or a control character, was '")
          .satisfies(
              refused -> {
                assertThat(refused.option()).isEqualTo(option);
                assertThat(refused.value()).isEqualTo(text);
              });
    }
  }

  @Test
  void reportsTheReasonOfItsRow() {
    PeriodicNumbers last = invoices.startValue(SequenceState.LARGEST_VALUE);
    taken(last);
    StepVerifier.create(last.next(counters, "transaction"))
        .verifyError(SequenceExhaustedException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> invoices.next(counters, "transaction", 0));
    StepVerifier.create(store.state("invoice/2027")).verifyError(SequenceNotFoundException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-29T21:59:59Z, Europe/Berlin, 2026-03-29", // the day has 23 hours
    "2026-10-25T22:59:59Z, Europe/Berlin, 2026-10-25", // the day has 25 hours
    "2026-10-25T23:00:00Z, Europe/Berlin, 2026-10-26",
    "2026-12-31T10:00:00Z, Pacific/Kiritimati, 2027-01-01",
    "2027-01-01T07:59:59Z, America/Los_Angeles, 2026-12-31",
    "2027-01-01T07:59:59Z, UTC, 2027-01-01"
  })
  void takesTheDateOfTheZoneWhateverTheMachineAndTheClockSay(
      String instant, ZoneId zone, LocalDate date) {
    TimeZone own = TimeZone.getDefault();
    try {
      for (String machine : List.of("Pacific/Kiritimati", "America/Los_Angeles", "UTC")) {
        TimeZone.setDefault(TimeZone.getTimeZone(machine));
        Clock ofMachine = Clock.fixed(Instant.parse(instant), ZoneId.systemDefault());
        assertThat(invoices.zone(zone).clock(ofMachine).now().value(1).date()).isEqualTo(date);
      }
    } finally {
      TimeZone.setDefault(own);
    }
  }

  @Test
  void findsTheRowOfADocumentsOwnDate() {
    PeriodicNumbers.Row row = invoices.at(Instant.parse("2025-02-03T04:05:06Z"));
    assertThat(row.name()).isEqualTo("invoice/2025");
    assertThat(row.value(7))
        .isEqualTo(new PeriodicValue("2025", 7, "2025-000007", LocalDate.of(2025, 2, 3)));
  }

  private static PeriodicNumbers of(String period) {
    Period all =
        switch (period) {
          case "DAY" -> Period.DAY;
          case "WEEK" -> Period.WEEK;
          case "MONTH" -> Period.MONTH;
          case "QUARTER" -> Period.QUARTER;
          case "YEAR" -> Period.YEAR;
          case "FISCAL" -> Period.fiscalYear(Month.APRIL);
          default -> date -> "FY" + date.plusMonths(3).getYear();
        };
    return PeriodicNumbers.of("invoice", all);
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, {period}-{n:6}, 2026-01-02-000042",
    "DAY, {dd}{MM}{yyyy}{n}, 0201202642",
    "WEEK, {period}-{n}, 2026-W01-42",
    "WEEK, {yyyy}{MM}{dd}-{n}, 20260102-42",
    "MONTH, {yyyy}-{MM}-{n:2}, 2026-01-42",
    "MONTH, {n:1} of {yy}/{MM}, 42 of 26/01",
    "QUARTER, {yyyy}{MM}-{n:19}, 202601-0000000000000000042",
    "YEAR, INV/{yyyy}{n}, INV/202642",
    "YEAR, '{n}, {dd}.{MM}.{yy}', '42, 02.01.26'",
    "FISCAL, {period}/{n:4}, 2025-26/0042",
    "FISCAL, {yyyy}{MM}-{n}, 202601-42",
    "OWN, {period}-{n}, FY2026-42"
  })
  void writesANumberAsTheFormatSays(String period, String format, String text) {
    PeriodicNumbers numbers = of(period).format(format);
    assertThat(numbers.at(Instant.parse("2026-01-02T12:00:00Z")).value(42).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "YEAR; {yyyy}-; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; {yyyy}-{n}-{n:2}; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; ''; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; {n:6}; must contain {period}, or the parts of the date that determine it: numbers of 2024 and 2025 would be the same",
        "FISCAL; {yyyy}-{n}; numbers of 2023-24 and 2024-25 would be the same",
        "QUARTER; {yyyy}-{n}; numbers of 2024-Q1 and 2024-Q2 would be the same",
        "MONTH; {yy}-{n}; numbers of 2024-01 and 2024-02 would be the same",
        "WEEK; {yyyy}-{MM}-{n}; numbers of 2024-W01 and 2024-W02 would be the same",
        "DAY; {yyyy}{MM}{n}; numbers of 2024-01-01 and 2024-01-02 would be the same",
        "OWN; {yyyy}-{n}; numbers of FY2024 and FY2025 would be the same",
        "YEAR; {yyyy}-{n; must have a } for each {, and no other brace",
        "YEAR; {yyyy}}-{n}; must have a } for each {, and no other brace",
        "YEAR; {yyyy}-{n:0}; n:0",
        "YEAR; {yyyy}-{n:20}; n:20",
        "YEAR; {yyyy}-{N:6}; N:6",
        "YEAR; {year}-{n:6}; year",
        "YEAR; {yyyy}-{n:6}{}; ''"
      })
  void refusesAFormatThatCouldWriteTwoNumbersAlike(String period, String format, String rule) {
    PeriodicNumbers numbers = of(period);
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> numbers.format(format))
        .withMessageStartingWith("format must ")
        .withMessageContaining(rule)
        .withMessageEndingWith(", was '" + format + "'")
        .satisfies(refused -> assertThat(refused.option()).isEqualTo("format"));
  }
}
