package io.millrace.periodic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.test.InMemorySequenceStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class PeriodicSequenceTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final SettableClock clock = SettableClock.at("2026-11-30T22:59:59Z");
  private final Periods months =
      Periods.monthly("invoice").clock(clock).zone(ZoneId.of("Europe/Berlin"));
  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final SequenceGenerators generators = generators(store);
  private final PeriodicSequence invoices = months.sequence(generators::get);

  private static SequenceGenerators generators(InMemorySequenceStore store) {
    return SequenceGenerators.builder(store)
        .template("invoice/{period}", options -> options.blockSize(10).createMissing(1))
        .build();
  }

  @AfterEach
  void dispose() {
    generators.dispose();
  }

  private static <T> T given(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(LIMIT));
  }

  @Test
  void aNumberHasItsPeriodAndItsText() {
    assertThat(given(invoices.next()))
        .isEqualTo(new PeriodicValue("2026-11", 1, "2026-11-000001", LocalDate.of(2026, 11, 30)));
    assertThat(given(invoices.next(2)))
        .extracting(PeriodicValue::text)
        .containsExactly("2026-11-000002", "2026-11-000003");
  }

  @Test
  void numbersStartAgainAtMidnightInTheZone() {
    given(invoices.next(3));
    clock.set("2026-11-30T23:00:00Z");
    assertThat(given(invoices.next()).text()).isEqualTo("2026-12-000001");
    clock.set("2026-11-30T22:59:59Z"); // the clock goes back
    assertThat(given(invoices.next()).text()).isEqualTo("2026-11-000004");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-29T00:59:59Z, 2026-03-29", // the hour before the clocks go forward
    "2026-03-29T21:59:59Z, 2026-03-29",
    "2026-03-29T22:00:00Z, 2026-03-30",
    "2026-10-25T22:59:59Z, 2026-10-25", // the day has 25 hours
    "2026-10-25T23:00:00Z, 2026-10-26",
    "2026-12-31T23:00:00Z, 2027-01-01"
  })
  void daysFollowTheTimeOfTheZone(String instant, String day) {
    clock.set(instant);
    Periods days = Periods.daily("invoice").clock(clock).zone(ZoneId.of("Europe/Berlin"));
    assertThat(days.now().period()).isEqualTo(day);
  }

  @Test
  void yearsAreOfTheCalendarAndNotOfTheWeek() {
    clock.set("2027-01-01T12:00:00Z"); // in week 53 of 2026
    assertThat(Periods.yearly("invoice").clock(clock).now().period()).isEqualTo("2027");
  }

  @Test
  void aValueThatComesAfterMidnightBelongsToThePeriodOfItsRequest() {
    store.latency(Duration.ofMillis(50));
    Mono<PeriodicValue> late = invoices.next().cache();
    late.subscribe();
    clock.set("2026-12-01T12:00:00Z");
    assertThat(given(late).period()).isEqualTo("2026-11");
  }

  @Test
  void aMonoThatIsKeptHasThePeriodOfEachSubscription() {
    Mono<PeriodicValue> one = invoices.next();
    Mono<List<PeriodicValue>> two = invoices.next(2);
    assertThat(given(one).text()).isEqualTo("2026-11-000001");
    assertThat(given(two))
        .extracting(PeriodicValue::text)
        .containsExactly("2026-11-000002", "2026-11-000003");
    clock.set("2026-11-30T23:00:00Z");
    assertThat(given(one).text()).isEqualTo("2026-12-000001");
    assertThat(given(two))
        .extracting(PeriodicValue::text)
        .containsExactly("2026-12-000002", "2026-12-000003");
  }

  @Test
  void processesWhoseClocksDifferGiveNoNumberTwice() {
    SettableClock slow = SettableClock.at("2026-11-30T22:59:59Z");
    SequenceGenerators others = generators(store);
    PeriodicSequence other =
        Periods.monthly("invoice")
            .clock(slow)
            .zone(ZoneId.of("Europe/Berlin"))
            .sequence(others::get);
    List<String> texts =
        given(
            Flux.range(0, 4_000)
                .flatMap(
                    i -> {
                      if (i == 1_000) {
                        clock.set("2026-11-30T23:00:01Z");
                      } else if (i == 3_000) {
                        slow.set("2026-11-30T23:00:00Z");
                      }
                      return Mono.defer(() -> (i % 2 == 0 ? invoices : other).next())
                          .subscribeOn(Schedulers.parallel());
                    },
                    16)
                .map(PeriodicValue::text)
                .collectList());
    assertThat(texts).hasSize(4_000).doesNotHaveDuplicates();
    assertThat(texts).anyMatch(text -> text.startsWith("2026-11-"));
    assertThat(texts).anyMatch(text -> text.startsWith("2026-12-"));
    others.dispose();
  }

  @Test
  void theRowOfAPeriodIsFoundByItsName() {
    assertThat(months.row("2026-11")).isEqualTo("invoice/2026-11");
    assertThat(months.periodOf("invoice/2026-11")).contains("2026-11");
    assertThat(months.periodOf("invoice/2026-13")).isEmpty();
    assertThat(months.periodOf("invoice/2026-11-01")).isEmpty();
    assertThat(months.periodOf("invoice")).isEmpty();
    assertThat(months.periodOf("order/2026-11")).isEmpty();
    given(invoices.next());
    assertThat(given(store.state("invoice/2026-11")))
        .isEqualTo(new SequenceState("invoice/2026-11", 11));
  }

  @Test
  void aLogShowsTheRowOfThePeriod() {
    assertThat(months).asString().contains("invoice/2026-11");
    assertThat(invoices).asString().contains("invoice/2026-11");
    clock.set("2026-11-30T23:00:00Z");
    assertThat(invoices).asString().contains("invoice/2026-12");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-12-31T22:59:59Z, Europe/Berlin, 2026",
    "2026-12-31T23:00:00Z, Europe/Berlin, 2027",
    "2026-12-31T09:59:59Z, Pacific/Kiritimati, 2026",
    "2026-12-31T10:00:00Z, Pacific/Kiritimati, 2027",
    "2027-01-01T07:59:59Z, America/Los_Angeles, 2026",
    "2027-01-01T08:00:00Z, America/Los_Angeles, 2027"
  })
  void theYearIsThatOfTheZoneWhateverTheMachineAndTheClockSay(
      String instant, String zone, String year) {
    TimeZone own = TimeZone.getDefault();
    try {
      for (String machine : List.of("Pacific/Kiritimati", "America/Los_Angeles", "UTC")) {
        TimeZone.setDefault(TimeZone.getTimeZone(machine));
        Clock ofMachine = Clock.fixed(Instant.parse(instant), ZoneId.systemDefault());
        Periods years = Periods.yearly("invoice");
        assertThat(years.zone(ZoneId.of(zone)).clock(ofMachine).now().period()).isEqualTo(year);
        assertThat(years.clock(ofMachine).zone(ZoneId.of(zone)).now().period()).isEqualTo(year);
        assertThat(years.clock(ofMachine).now().period()).isEqualTo(instant.substring(0, 4));
      }
    } finally {
      TimeZone.setDefault(own);
    }
  }

  @Test
  void theRowOfADocumentsOwnDateIsFound() {
    Periods.Row row =
        Periods.yearly("invoice")
            .format("{yy}{MM}{dd}/{n}")
            .at(Instant.parse("2025-02-03T04:05:06Z"));
    assertThat(row.name()).isEqualTo("invoice/2025");
    assertThat(row.value(7))
        .isEqualTo(new PeriodicValue("2025", 7, "250203/7", LocalDate.of(2025, 2, 3)));
    assertThat(row).asString().contains("invoice/2025");
  }

  @Test
  void eachTenantHasItsOwnRows() {
    assertThat(months.forTenant("acme").now().name()).isEqualTo("invoice/acme/2026-11");
    assertThat(months.forTenant("acme").periodOf("invoice/acme/2026-11")).contains("2026-11");
    assertThat(months.periodOf("invoice/acme/2026-11")).isEmpty();
    for (String refused : List.of("", " ", "a/b", "/")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> months.forTenant(refused))
          .withMessage("a tenant must not be blank or contain /, was '" + refused + "'");
    }
  }

  private static String text(Periods periods, String format, long number) {
    return periods.format(format).at(Instant.parse("2026-01-02T12:00:00Z")).value(number).text();
  }

  @Test
  void theFormatSaysHowANumberIsWritten() {
    assertThat(text(months, "{yyyy}-{MM}-{n:2}", 7)).isEqualTo("2026-01-07");
    assertThat(text(months, "{yyyy}-{MM}-{n:2}", 1234)).isEqualTo("2026-01-1234");
    assertThat(text(months, "{yyyy}-{MM}-{n:19}", 7)).isEqualTo("2026-01-" + "0".repeat(18) + 7);
    Periods years = Periods.yearly("invoice");
    assertThat(text(years, "INV/{yyyy}{n}", 42)).isEqualTo("INV/202642");
    assertThat(text(years, "{n:1} of {yy}, {dd}.{MM}.", Long.MAX_VALUE))
        .isEqualTo("9223372036854775807 of 26, 02.01.");
    assertThat(text(Periods.daily("x"), "{dd}{MM}{yyyy}{n}", 1)).isEqualTo("020120261");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "YEAR; {yyyy}-; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; {yyyy}-{n}-{n:2}; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; ''; must contain {n} or {n:DIGITS} once, such as {n:6}",
        "YEAR; {n:6}; must contain {yyyy}, because the numbers start again with each year",
        "MONTH; {yy}-{n}; must contain {MM}, because the numbers start again with each month",
        "DAY; {yyyy}{MM}{n}; must contain {dd}, because the numbers start again with each day",
        "YEAR; {yyyy}-{n; must have a } for each {, and no other brace",
        "YEAR; {yyyy}}-{n}; must have a } for each {, and no other brace",
        "YEAR; {yyyy}-{n:0}; n:0",
        "YEAR; {yyyy}-{n:20}; n:20",
        "YEAR; {yyyy}-{N:6}; N:6",
        "YEAR; {year}-{n:6}; year",
        "YEAR; {yyyy}-{n:6}{}; ''"
      })
  void aFormatThatCouldWriteTwoNumbersAlikeIsRefused(String kind, String format, String rule) {
    Periods periods =
        switch (kind) {
          case "DAY" -> Periods.daily("x");
          case "MONTH" -> months;
          default -> Periods.yearly("x");
        };
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> periods.format(format))
        .withMessageStartingWith("format must ")
        .withMessageContaining(rule)
        .withMessageEndingWith(", was '" + format + "'")
        .satisfies(
            refused -> {
              assertThat(refused.option()).isEqualTo("format");
              assertThat(refused.value()).isEqualTo(format);
            });
  }

  @Test
  void theNameOfASequenceIsNotEmpty() {
    assertThatIllegalArgumentException().isThrownBy(() -> Periods.daily(""));
  }
}
