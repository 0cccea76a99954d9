package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** At its largest value a generator takes no more from the counter than it can issue. */
class ExhaustionTest {

  private static final int REFUSED = 50;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final AtomicLong released = new AtomicLong();
  private final AtomicLong discarded = new AtomicLong();
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  private SequenceGenerator generator(Setting setting, SequenceStore from) {
    return setting
        .builder(from, "s", 10_000)
        .maxValue(1_004)
        .scheduler(time)
        .metrics(
            new SequenceMetricsRecorder() {
              @Override
              public void discarded(String sequence, long count) {
                discarded.addAndGet(count);
              }

              @Override
              public void released(String sequence, long count) {
                released.addAndGet(count);
              }
            })
        .build();
  }

  private void exhaust(SequenceGenerator generator) {
    generator.values().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(seen).hasSize(1_004).endsWith(1_003L, 1_004L);
    assertThat(errors).hasSize(1);
    for (int i = 0; i < REFUSED; i++) {
      generator.next().subscribe(seen::add, errors::add);
      time.advanceTimeBy(Duration.ofMinutes(1));
    }
    assertThat(errors).hasSize(1 + REFUSED).hasOnlyElementsOfType(SequenceExhaustedException.class);
    assertThat(seen).hasSize(1_004);
  }

  private long nextValue() {
    return Objects.requireNonNull(store.state("s").block()).nextValue();
  }

  @ParameterizedTest
  @EnumSource
  void releasesValuesAboveTheLargestValue(Setting setting) {
    SequenceGenerator generator = generator(setting, store);
    exhaust(generator);
    assertThat(nextValue()).isEqualTo(1_005);
    SequenceGeneratorSnapshot end = generator.snapshot();
    assertThat(end.issued()).isEqualTo(1_004);
    assertThat(released.get()).isEqualTo(end.discarded()).isPositive();
    assertThat(discarded).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORDERED")
  void aStoreThatTakesNothingBackIsAskedForNoMore(Setting setting) {
    AtomicLong asked = new AtomicLong();
    SequenceGenerator generator =
        generator(
            setting,
            new DelegatingSequenceStore(store) {
              @Override
              public boolean isReleasable() {
                return false;
              }

              @Override
              public Mono<SequenceBlock> reserve(ReservationRequest request) {
                return super.reserve(request).doOnNext(block -> asked.set(block.first()));
              }
            });
    exhaust(generator);
    assertThat(asked.get()).as("the last block that was asked for").isLessThan(20_000);
    long next = nextValue();
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(nextValue()).isEqualTo(next);
    assertThat(discarded.get()).isEqualTo(generator.snapshot().discarded()).isPositive();
    assertThat(store.releases()).isZero();
  }

  @Test
  void aGiveBackThatIsNeverAnsweredEndsWithTheReservationTimeout() {
    store.hangNextReleases(1);
    SequenceGenerator generator = generator(Setting.LARGE_ASYNCHRONOUS_BATCH, store);
    generator.next(1_000).subscribe(seen::addAll, errors::add);
    generator.next(4).subscribe(seen::addAll, errors::add);
    assertThat(seen).hasSize(1_000);
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(seen).hasSize(1_004);
    assertThat(errors).isEmpty();
  }

  @Test
  void valuesThatAnotherProcessGivesBackAreIssuedAfterAll() {
    SequenceGenerator generator = generator(Setting.BATCH, store);
    SequenceBlock ofAnother = Objects.requireNonNull(store.reserve("s", 1_004).block());
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(errors).hasSize(1);
    assertThat(store.release("s", ofAnother.slice(1_000, 1_004)).block()).isTrue();
    generator.next(4).subscribe(seen::addAll, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(seen).containsExactly(1_001L, 1_002L, 1_003L, 1_004L);
  }

  @Test
  void theErrorSaysWhatIsLeft() {
    SequenceGenerator generator = generator(Setting.BATCH, store);
    exhaust(generator);
    assertThat(errors.get(REFUSED))
        .hasMessageContaining("no value is left")
        .hasMessageContaining("the next would be 1005")
        .hasMessageContaining("the limit is 1004");
    assertThat(new SequenceExhaustedException("s", 8, 10, 12))
        .hasMessageContaining("fewer than the 10 requested values are left from 8 on")
        .hasMessageContaining("the limit is 12");
  }
}
