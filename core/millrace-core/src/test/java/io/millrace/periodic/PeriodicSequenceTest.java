package io.millrace.periodic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
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
        .template("invoice/{period}", options -> options.batchSize(10).createMissing(1))
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
    assertThat(given(invoices.next())).isEqualTo(new PeriodicValue("2026-11", 1, "2026-11-000001"));
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
    assertThat(days.current()).isEqualTo(day);
  }

  @Test
  void yearsAreOfTheCalendarAndNotOfTheWeek() {
    clock.set("2027-01-01T12:00:00Z"); // in week 53 of 2026
    assertThat(Periods.yearly("invoice").clock(clock).current()).isEqualTo("2027");
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

  @Test
  void aNumberWithMoreDigitsIsWrittenInFull() {
    Periods short2 = months.digits(2);
    assertThat(short2.value("2026-11", 7).text()).isEqualTo("2026-11-07");
    assertThat(short2.value("2026-11", 1234).text()).isEqualTo("2026-11-1234");
    assertThat(months.digits(1).value("2026-11", 7).text()).isEqualTo("2026-11-7");
    assertThat(months.digits(19).value("2026-11", 7).text())
        .isEqualTo("2026-11-" + "0".repeat(18) + 7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> months.digits(20))
        .withMessage("digits must be from 1 to 19, was 20");
    assertThatIllegalArgumentException().isThrownBy(() -> months.digits(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Periods.daily(""));
  }
}
