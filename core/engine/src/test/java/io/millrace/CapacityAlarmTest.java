package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A generator knows what its sequence has left, and says once when that is too little. */
class CapacityAlarmTest {

  private static final Duration GUARD = Duration.ofSeconds(30);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final List<CapacityAlarm.Event> events = new ArrayList<>();
  private final List<CapacityAlarm.Event> recorded = new ArrayList<>();
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  CapacityAlarmTest() {
    time.advanceTimeBy(Duration.ofDays(1)); // so that a time and an interval are two numbers
  }

  /** A generator whose reservations have ten values. */
  private SequenceGeneratorBuilder builder(SequenceStore from) {
    return SequenceGenerator.builder(from, "s")
        .batchSize(10)
        .scheduler(time)
        .metrics(
            new SequenceMetricsRecorder() {
              @Override
              public void capacityChanged(CapacityAlarm.Event event) {
                recorded.add(event);
              }
            });
  }

  private SequenceGenerator limited(CapacityAlarm alarm) {
    return builder(store).maxValue(1_000).capacityAlarm(alarm.listener(events::add)).build();
  }

  /** One whose alarm goes on when the values last for less than a time. */
  private SequenceGenerator timed(SequenceStore from, long maxValue, Duration time) {
    return builder(from)
        .maxValue(maxValue)
        .capacityAlarm(CapacityAlarm.OFF.time(time).listener(events::add))
        .build();
  }

  /** Uses up blocks of ten values. */
  private void use(SequenceGenerator generator, int blocks) {
    for (int i = 0; i < blocks; i++) {
      generator.next(10).subscribe(seen::addAll, errors::add);
      time.advanceTimeBy(Duration.ofMillis(1));
    }
  }

  /** Another process takes values. */
  private void elsewhere(long values) {
    assertThat(store.reserve("s", values).block(GUARD)).isNotNull();
  }

  private static SequenceStore giving(SequenceStore store, SequenceBlock block) {
    return new DelegatingSequenceStore(store) {
      @Override
      public Mono<SequenceBlock> reserve(String sequence, long size) {
        return Mono.just(block);
      }
    };
  }

  @Test
  void whatIsLeftIsUnknownBeforeTheFirstReservation() {
    SequenceGeneratorSnapshot before = limited(CapacityAlarm.DEFAULT).snapshot();
    assertThat(before.remaining()).isEmpty();
    assertThat(before.remainingShare()).isEmpty();
    assertThat(before.capacityAlarm()).isNull();
  }

  @Test
  void whatIsLeftIsAboveTheLatestBlockWhoeverReservedTheOthers() {
    SequenceGenerator generator = limited(CapacityAlarm.OFF);
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(generator.snapshot().buffered()).isEqualTo(9);
    assertThat(generator.snapshot().remaining()).hasValue(990);
    assertThat(generator.snapshot().remainingShare()).hasValue(0.99);
    elsewhere(500);
    use(generator, 1);
    assertThat(generator.snapshot().remaining()).hasValue(480);
    assertThat(generator.snapshot().remainingShare()).hasValue(0.48);
  }

  @Test
  void theAlarmGoesOnBelowTheShareAndNotAtIt() {
    SequenceGenerator generator = limited(CapacityAlarm.DEFAULT);
    use(generator, 90);
    assertThat(generator.snapshot().remaining()).hasValue(100);
    assertThat(events).isEmpty();
    use(generator, 1);
    assertThat(events).hasSize(1);
    CapacityAlarm.Event event = events.get(0);
    assertThat(event.low()).isTrue();
    assertThat(event.remaining()).isEqualTo(90);
    assertThat(event.share()).hasValue(0.09);
    assertThat(generator.snapshot().capacityAlarm()).isEqualTo(event);
  }

  @Test
  void theAlarmGoesOnBelowTheNumberAndNotAtIt() {
    SequenceGenerator generator = limited(CapacityAlarm.OFF.values(500));
    use(generator, 50);
    assertThat(events).isEmpty();
    use(generator, 1);
    assertThat(events).extracting(CapacityAlarm.Event::remaining).containsExactly(490L);
  }

  @Test
  void theAlarmGoesOnWhenTheValuesLastTooShortAtTheRateOfAllProcesses() {
    SequenceGenerator generator = timed(store, 1_000_000, Duration.ofDays(1));
    use(generator, 1);
    elsewhere(59_990); // 60,000 values in 1,000 seconds: the others last for 4.3 hours
    time.advanceTimeBy(Duration.ofSeconds(1_000).minusMillis(1));
    use(generator, 1);
    assertThat(events).hasSize(1);
    CapacityAlarm.Event event = events.get(0);
    assertThat(event.rate()).hasValueCloseTo(60.0, within(1e-9));
    assertThat(event.remaining()).isEqualTo(939_990);
    assertThat(event.end()).isEqualTo(event.at().plusSeconds(15_666));
  }

  @Test
  void aRateIsKnownOnlyAfterTenMinutes() {
    SequenceGenerator generator = limited(CapacityAlarm.OFF.time(Duration.ofDays(30_000)));
    use(generator, 1);
    time.advanceTimeBy(Duration.ofMinutes(10).minusMillis(2));
    use(generator, 1);
    assertThat(events).isEmpty();
    use(generator, 1); // ten minutes after the first
    assertThat(events).hasSize(1);
  }

  @Test
  void anAlarmOfTimeKeepsItsStateUpToAQuarterAboveTheThreshold() {
    SequenceGenerator generator = timed(store, 1_000_000_000, Duration.ofDays(12));
    use(generator, 1);
    elsewhere(18_800_000);
    time.advanceTimeBy(Duration.ofHours(6));
    use(generator, 1); // the others last for 13 days
    assertThat(events).as("a quarter above, and off").isEmpty();
    elsewhere(41_200_000);
    time.advanceTimeBy(Duration.ofHours(5));
    use(generator, 1); // 7 days
    assertThat(events).extracting(CapacityAlarm.Event::low).containsExactly(true);
    elsewhere(2_500_000);
    time.advanceTimeBy(Duration.ofHours(12));
    use(generator, 1); // 14.4 days, with what was taken in the first six hours
    assertThat(events).as("a quarter above, and on").hasSize(1);
  }

  @Test
  void aRateCountsValuesAndNotTheNumbersBetweenThem() {
    AtomicLong first = new AtomicLong(1);
    SequenceStore strided =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceBlock> reserve(String sequence, long size) {
            return Mono.just(SequenceBlock.strided(first.getAndAdd(5 * size), size, 5));
          }
        };
    SequenceGenerator generator = timed(strided, 10_000, Duration.ofDays(30));
    use(generator, 1);
    time.advanceTimeBy(Duration.ofSeconds(1_000).minusMillis(1));
    use(generator, 1); // ten values in 1,000 seconds
    assertThat(events).hasSize(1);
    assertThat(events.get(0).rate()).hasValueCloseTo(0.01, within(1e-9));
  }

  @Test
  void whatOthersTookIsNoticedWhenTheSequenceEnds() {
    SequenceGenerator generator = limited(CapacityAlarm.DEFAULT);
    use(generator, 1);
    elsewhere(2_000);
    assertThat(generator.snapshot().remaining()).hasValue(990);
    use(generator, 1);
    assertThat(errors).hasOnlyElementsOfType(SequenceExhaustedException.class).hasSize(1);
    assertThat(generator.snapshot().remaining()).hasValue(0);
    assertThat(events).hasSize(1);
  }

  @Test
  void eachChangeIsLoggedAndAThrowOfTheListenerToo() {
    CapacityAlarm alarm =
        CapacityAlarm.OFF
            .time(Duration.ofDays(12))
            .listener(
                event -> {
                  throw new AssertionError("on purpose");
                });
    SequenceGenerator generator = builder(store).maxValue(10_000_000).capacityAlarm(alarm).build();
    try (LogLines changes = new LogLines(CapacityAlarm.class)) {
      use(generator, 1);
      elsewhere(1_000_000);
      time.advanceTimeBy(Duration.ofHours(13));
      use(generator, 1);
      assertThat(changes.at(Level.WARN))
          .containsExactly(recorded.get(0).message(), "The listener of a capacity alarm threw");
      assertThat(changes.at(Level.INFO)).isEmpty();
      for (int i = 0; i < 2; i++) {
        time.advanceTimeBy(Duration.ofHours(13));
        use(generator, 1);
      }
      assertThat(recorded).hasSize(2);
      assertThat(changes.at(Level.INFO)).containsExactly(recorded.get(1).message());
      assertThat(changes.at(Level.WARN)).hasSize(3);
    }
  }

  @Test
  void anAlarmOfTimeGoesOffWhenTheValuesLastAQuarterLonger() {
    SequenceGenerator generator = timed(store, 10_000_000, Duration.ofDays(12));
    use(generator, 1);
    elsewhere(1_000_000);
    time.advanceTimeBy(Duration.ofHours(13));
    use(generator, 1);
    assertThat(events).extracting(CapacityAlarm.Event::low).containsExactly(true);
    time.advanceTimeBy(Duration.ofHours(13)); // 1,000,000 in 26 hours still last for 9.8 days
    use(generator, 1);
    assertThat(events).hasSize(1);
    // The burst is outside the window now. With it the values would last for 14.6 days, which is
    // less than a quarter above the threshold.
    time.advanceTimeBy(Duration.ofHours(13));
    use(generator, 1);
    assertThat(events).extracting(CapacityAlarm.Event::low).containsExactly(true, false);
    assertThat(generator.snapshot().capacityAlarm()).isNull();
    assertThat(events.get(1).message())
        .startsWith("Sequence 's' has enough values again: ")
        .doesNotContain("Raise");
    assertThat(recorded).isEqualTo(events);
  }

  @Test
  void atTheEndNothingIsLeftAndTheAlarmIsToldOnce() {
    SequenceGenerator generator = limited(CapacityAlarm.DEFAULT);
    use(generator, 110);
    assertThat(seen).hasSize(1_000);
    assertThat(errors).hasOnlyElementsOfType(SequenceExhaustedException.class).isNotEmpty();
    assertThat(generator.snapshot().remaining()).hasValue(0);
    assertThat(generator.snapshot().remainingShare()).hasValue(0);
    assertThat(events).hasSize(1);
    assertThat(recorded).isEqualTo(events);
  }

  @Test
  void aGeneratorThatStartsAtTheEndSaysSo() {
    elsewhere(2_000);
    SequenceGenerator generator = limited(CapacityAlarm.DEFAULT);
    use(generator, 1);
    assertThat(errors).hasOnlyElementsOfType(SequenceExhaustedException.class).hasSize(1);
    assertThat(generator.snapshot().remaining()).hasValue(0);
    assertThat(events).hasSize(1);
  }

  @Test
  void withoutAMaxValueThereIsNoAlarmByDefault() {
    InMemorySequenceStore near =
        InMemorySequenceStore.withSequence("s", SequenceState.LARGEST_VALUE - 99);
    SequenceGenerator generator = builder(near).build();
    use(generator, 5);
    assertThat(seen).hasSize(50);
    assertThat(recorded).isEmpty();
    assertThat(generator.snapshot().remaining()).hasValue(50);
  }

  @Test
  void withAMaxValueTheAlarmIsATenthByDefault() {
    SequenceGenerator generator = builder(store).maxValue(MaxValue.numeric(2)).build();
    use(generator, 8);
    assertThat(recorded).isEmpty();
    use(generator, 1);
    assertThat(recorded).extracting(CapacityAlarm.Event::remaining).containsExactly(9L);
  }

  @Test
  void theShareCountsFromTheStartValue() {
    SequenceGenerator generator =
        builder(InMemorySequenceStore.create()).createMissing(901).maxValue(1_000).build();
    use(generator, 1);
    assertThat(generator.snapshot().remainingShare()).hasValue(0.9);
  }

  @Test
  void theDistanceOfTheValuesIsTakenIntoAccount() {
    SequenceGenerator generator =
        builder(giving(store, SequenceBlock.strided(1, 10, 5))).maxValue(1_046).build();
    use(generator, 1);
    assertThat(generator.snapshot().remaining()).hasValue(200);
  }

  @Test
  void aBlockOfExplicitValuesSaysNothingAboutWhatIsLeft() {
    SequenceBlock explicit = SequenceBlock.ofValues(1, 2, 3, 4, 5, 6, 7, 8, 9, 95);
    SequenceGenerator generator = builder(giving(store, explicit)).maxValue(100).build();
    use(generator, 1);
    assertThat(seen).hasSize(10);
    assertThat(generator.snapshot().remaining()).isEmpty();
    assertThat(recorded).isEmpty();
  }

  @Test
  void aStoreThatIsNotOrderedSaysNothingAboutWhatIsLeft() {
    SequenceStore unordered =
        new DelegatingSequenceStore(store) {
          @Override
          public boolean isOrdered() {
            return false;
          }
        };
    SequenceGenerator generator = builder(unordered).maxValue(20).build();
    use(generator, 2);
    assertThat(seen).hasSize(20);
    assertThat(generator.snapshot().remaining()).isEmpty();
    assertThat(recorded).isEmpty();
  }

  @Test
  void rangesBelowZeroAreCountedWithoutAnOverflow() {
    InMemorySequenceStore low = InMemorySequenceStore.withSequence("s", Long.MIN_VALUE + 1);
    SequenceGenerator far = builder(low).build();
    use(far, 1);
    assertThat(far.snapshot().remaining()).hasValue(Long.MAX_VALUE);

    InMemorySequenceStore negative = InMemorySequenceStore.withSequence("s", -100);
    SequenceGenerator near = builder(negative).maxValue(-1).build();
    use(near, 1);
    assertThat(near.snapshot().remaining()).hasValue(90);
    assertThat(near.snapshot().remainingShare()).isEmpty();
  }

  @Test
  void aListenerThatThrowsDisturbsNothing() {
    AtomicInteger calls = new AtomicInteger();
    SequenceGenerator generator =
        builder(store)
            .maxValue(1_000)
            .capacityAlarm(
                CapacityAlarm.DEFAULT.listener(
                    event -> {
                      calls.incrementAndGet();
                      throw new AssertionError("on purpose");
                    }))
            .build();
    use(generator, 100);
    assertThat(calls).hasValue(1);
    assertThat(seen).hasSize(1_000);
    assertThat(errors).isEmpty();
    assertThat(recorded).hasSize(1);
  }

  @Test
  void manyThreadsSeeOneChange() {
    List<CapacityAlarm.Event> told = new CopyOnWriteArrayList<>();
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .batchSize(10)
            .maxValue(20_000)
            .capacityAlarm(CapacityAlarm.DEFAULT.listener(told::add))
            .build();
    Instant before = Instant.now().minusMillis(1);
    Long count =
        Flux.range(0, 8)
            .flatMap(
                thread ->
                    Flux.range(0, 2_500)
                        .concatMap(each -> generator.next())
                        .subscribeOn(Schedulers.boundedElastic()))
            .count()
            .block(GUARD);
    assertThat(count).isEqualTo(20_000);
    assertThat(told).extracting(CapacityAlarm.Event::low).containsExactly(true);
    assertThat(told.get(0).at()).isBetween(before, Instant.now());
    generator.disposeLater().block(GUARD);
  }

  @Test
  void theTextSaysWhatIsLeftUntilWhenAndWhatToDo() {
    CapacityAlarm.Event event =
        new CapacityAlarm.Event(
            "invoice_id",
            true,
            86_400_000,
            OptionalDouble.of(0.0402),
            OptionalDouble.of(100),
            MaxValue.INT32,
            Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(event.message())
        .isEqualTo(
            "Sequence 'invoice_id' runs out of values: 86400000 are left, 4.02 % of all, up to"
                + " 2147483647 (INT32). All processes together reserve 100 a second, so the last"
                + " value will be reserved at 2026-01-11T00:00:00Z. Noticed at 2026-01-01T00:00:00Z. Widen the"
                + " column and raise maxValue, or move to a new sequence");
  }

  @ParameterizedTest
  @CsvSource({
    "1234567, 1230000 a second",
    "12.345, 12.3 a second",
    "1, 1 a second",
    "0.5, 1800 an hour",
    "2.1367522E-4, 18.5 a day",
    "1E-9, 0.0000864 a day",
    "0, 0 a day",
  })
  void aRateIsGivenInTheUnitThatSuitsIt(double perSecond, String text) {
    CapacityAlarm.Event event =
        new CapacityAlarm.Event(
            "s",
            true,
            10,
            OptionalDouble.empty(),
            OptionalDouble.of(perSecond),
            MaxValue.INT32,
            Instant.EPOCH);
    assertThat(event.message()).containsPattern("together reserve " + Pattern.quote(text) + "[,.]");
  }

  @Test
  void theErrorAtTheEndNamesValueLimitAndColumn() {
    elsewhere(99);
    SequenceGenerator generator = builder(store).maxValue(MaxValue.numeric(2)).build();
    use(generator, 1);
    assertThat(errors).hasSize(1);
    assertThat(Objects.requireNonNull(errors.get(0)))
        .isInstanceOf(SequenceExhaustedException.class)
        .hasMessageContainingAll("the next would be 100", "the limit is 99", "NUMERIC(2)", "widen");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aShareIsFrom0To1(double share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityAlarm.OFF.share(share))
        .withMessage("capacityAlarm share must be from 0 to 1, was " + share);
  }

  @Test
  void aNumberAndATimeAreNotNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityAlarm.OFF.values(-1))
        .withMessageEndingWith("was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityAlarm.OFF.time(Duration.ofSeconds(-1)))
        .withMessageEndingWith("was PT-1S");
  }

  private static boolean isOn(
      CapacityAlarm alarm, long remaining, double share, double rate, boolean wasOn) {
    return alarm.isOn(remaining, OptionalDouble.of(share), OptionalDouble.of(rate), wasOn);
  }

  @Test
  void eachThresholdIsALimitThatIsNotReachedYet() {
    CapacityAlarm few = CapacityAlarm.OFF.values(100);
    assertThat(isOn(few, 99, 1, 1, false)).isTrue();
    assertThat(isOn(few, 100, 1, 1, false)).isFalse();

    CapacityAlarm part = CapacityAlarm.OFF.share(0.25);
    assertThat(isOn(part, 100, 0.24, 1, false)).isTrue();
    assertThat(isOn(part, 100, 0.25, 1, false)).isFalse();

    CapacityAlarm minute = CapacityAlarm.OFF.time(Duration.ofMinutes(1));
    assertThat(isOn(minute, 59, 1, 1, false)).isTrue();
    assertThat(isOn(minute, 60, 1, 1, false)).isFalse();
    assertThat(isOn(minute, 74, 1, 1, true)).as("on until a quarter longer").isTrue();
    assertThat(isOn(minute, 75, 1, 1, true)).isFalse();
    assertThat(isOn(minute, 1, 1, 0, false)).as("nothing is taken").isFalse();
    assertThat(isOn(CapacityAlarm.OFF, 0, 0, 1, false)).isFalse();
  }

  @Test
  void anAlarmHasAThresholdIfOneOfTheThreeIsSet() {
    assertThat(CapacityAlarm.OFF.hasThreshold()).isFalse();
    assertThat(CapacityAlarm.OFF.share(0.1).hasThreshold()).isTrue();
    assertThat(CapacityAlarm.OFF.values(1).hasThreshold()).isTrue();
    assertThat(CapacityAlarm.OFF.time(Duration.ofSeconds(1)).hasThreshold()).isTrue();
    assertThat(CapacityAlarm.OFF.share(0.1).values(2).time(Duration.ofSeconds(3)))
        .hasToString("CapacityAlarm[share=0.1, values=2, time=PT3S]");
  }

  @Test
  void theLargestAndTheSmallestThresholdsAreAllowed() {
    Duration longest = Duration.ofDays(36_500);
    assertThat(CapacityAlarm.OFF.share(1).share(0).values(0).time(longest).time(Duration.ZERO))
        .hasToString("CapacityAlarm[share=0.0, values=0, time=PT0S]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityAlarm.OFF.time(longest.plusNanos(1)));
  }

  @Test
  void theEndIsUnknownWithoutARateAndBeyond36500Days() {
    Duration longest = Duration.ofDays(36_500);
    Instant at = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(event(longest.toSeconds(), OptionalDouble.of(1), at).end())
        .isEqualTo(at.plus(longest));
    assertThat(event(longest.toSeconds() + 1, OptionalDouble.of(1), at).end()).isNull();
    assertThat(event(100, OptionalDouble.of(0), at).end()).isNull();
    assertThat(event(100, OptionalDouble.empty(), at).end()).isNull();
  }

  private static CapacityAlarm.Event event(long remaining, OptionalDouble rate, Instant at) {
    return new CapacityAlarm.Event(
        "s", true, remaining, OptionalDouble.empty(), rate, MaxValue.of(Long.MAX_VALUE - 1), at);
  }
}
