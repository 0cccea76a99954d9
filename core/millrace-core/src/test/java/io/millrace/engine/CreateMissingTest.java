package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Counters that are created when they are needed. Time is virtual. */
class CreateMissingTest {

  private static final Duration LATENCY = Duration.ofMillis(10);
  private static final Duration BACKOFF = Duration.ofMillis(50);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

  /** Replaced when the counters vanish. */
  private InMemorySequenceStore rows = InMemorySequenceStore.create().latency(LATENCY, time);

  private final SequenceStore store =
      new SequenceStore() {
        @Override
        public Mono<SequenceBlock> reserve(ReservationRequest request) {
          return rows.reserve(request);
        }

        @Override
        public Mono<Void> create(String sequence, long startValue) {
          return rows.create(sequence, startValue);
        }

        @Override
        public Mono<SequenceState> state(String sequence) {
          return rows.state(sequence);
        }

        @Override
        public boolean isOrdered() {
          return true;
        }

        @Override
        public boolean isReleasable() {
          return false;
        }
      };

  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  private SequenceGenerator generator(Setting setting, long startValue) {
    return setting
        .builder(store, "s")
        .createMissing(startValue)
        .backoff(BACKOFF, BACKOFF, 0, 3)
        .scheduler(time)
        .build();
  }

  private void take(SequenceGenerator generator) {
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(LATENCY.multipliedBy(4));
  }

  private void warmUp(SequenceGenerator generator) {
    generator.warmup().subscribe(nothing -> {}, errors::add);
    time.advanceTimeBy(LATENCY.multipliedBy(4));
  }

  private void drop() {
    rows = InMemorySequenceStore.create().latency(LATENCY, time);
  }

  /** The names of the counters that exist. */
  private List<String> counters() {
    List<String> names = new ArrayList<>();
    rows.state("s").map(SequenceState::name).onErrorComplete().subscribe(names::add);
    time.advanceTimeBy(LATENCY);
    return names;
  }

  @ParameterizedTest
  @EnumSource
  void servesWaitersFromTheCreatedCounter(Setting setting) {
    SequenceGenerator generator = generator(setting, -5);
    for (int i = 0; i < 10; i++) {
      generator.next().subscribe(seen::add, errors::add);
    }
    time.advanceTimeBy(LATENCY.multipliedBy(4));
    assertThat(seen).containsExactly(-5L, -4L, -3L, -2L, -1L, 0L, 1L, 2L, 3L, 4L);
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aWarmUpCreatesItToo(Setting setting) {
    SequenceGenerator generator = generator(setting, 7);
    warmUp(generator);
    assertThat(counters()).containsExactly("s");
    take(generator);
    assertThat(seen).containsExactly(7L);
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCounterThatExistsGoesOn(Setting setting) {
    store.create("s", 100).subscribe();
    time.advanceTimeBy(LATENCY);
    take(generator(setting, 1));
    assertThat(seen).containsExactly(100L);
  }

  @ParameterizedTest
  @EnumSource
  void anAttemptAfterFailuresCreatesIt(Setting setting) {
    rows.failNextReservations(2, new IOException("on purpose"));
    generator(setting, 1).next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCounterThatVanishesAfterItWasUsedIsNotBegunAgain(Setting setting) {
    SequenceGenerator creator = generator(setting, 1);
    SequenceGenerator finder = generator(setting, 1);
    SequenceGenerator warmed = generator(setting, 1);
    take(creator);
    take(finder);
    warmUp(warmed);
    drop();
    for (SequenceGenerator generator : List.of(creator, finder, warmed)) {
      generator.next(2_000_000).subscribe(all -> seen.addAll(all), errors::add);
      time.advanceTimeBy(LATENCY.multipliedBy(4));
    }
    assertThat(errors).hasSize(3).hasOnlyElementsOfType(SequenceNotFoundException.class);
    assertThat(seen).hasSize(2);
    assertThat(counters()).isEmpty();
  }
}
