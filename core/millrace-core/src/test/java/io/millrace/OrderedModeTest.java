package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** {@code blockSize(1)}: a value asked for after another was delivered, anywhere, is greater. */
class OrderedModeTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private SequenceGenerator generator() {
    return SequenceGenerator.builder(store, "s").blockSize(1).scheduler(time).build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void issuesGreaterValuesAfterADeliveryAcrossGenerators(long seed) {
    Random random = new Random(seed);
    SequenceGenerator[] generators = {generator(), generator()};
    List<Long> delivered = new ArrayList<>();
    long[] highest = {0};
    int[] checked = {0};
    List<Disposable> open = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      store.latency(Duration.ofMillis(1 + random.nextInt(30)), time);
      SequenceGenerator asked = generators[random.nextInt(2)];
      long floor = highest[0];
      open.add(
          asked
              .values()
              .take(1 + random.nextInt(3))
              .subscribe(
                  value -> {
                    assertThat(value).as("seed %d", seed).isGreaterThan(floor);
                    checked[0]++;
                    delivered.add(value);
                    highest[0] = Math.max(highest[0], value);
                  }));
      if (random.nextInt(10) == 0) {
        open.get(random.nextInt(open.size())).dispose();
      }
      time.advanceTimeBy(Duration.ofMillis(random.nextInt(8)));
    }
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(checked[0]).isGreaterThan(2_000);
    assertThat(delivered).doesNotHaveDuplicates();
  }

  @Test
  void aReservationIsAsLargeAsTheDemandWhenItStartsAndLaterDemandWaitsForTheNext() {
    SequenceGenerator generator = generator();
    List<Long> early = new ArrayList<>();
    List<Long> late = new ArrayList<>();
    generator.values().take(3).subscribe(early::add);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    generator.next().subscribe(late::add);
    generator.next().subscribe(late::add);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    assertThat(early).containsExactly(1L, 2L, 3L);
    assertThat(late).isEmpty();
    assertThat(generator.snapshot().discarded()).isZero();
    time.advanceTimeBy(LATENCY);
    assertThat(late).containsExactly(4L, 5L);
    assertThat(store.reservations()).isEqualTo(2);
  }

  @Test
  void neverPassesTheValueOfALeaverToALaterSubscriber() {
    SequenceGenerator generator = generator();
    List<Long> seen = new ArrayList<>();
    Disposable leaving = generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    leaving.dispose();
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    assertThat(seen).as("the first reservation was not for this one").isEmpty();
    assertThat(generator.snapshot().discarded()).isEqualTo(1);
    time.advanceTimeBy(LATENCY);
    assertThat(seen).containsExactly(2L);
  }

  @Test
  void passesTheValueOfALeaverOnWithinItsReservation() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(1).maxBlockSize(2).scheduler(time).build();
    List<Long> seen = new ArrayList<>();
    Disposable leaving = generator.next().subscribe(seen::add);
    generator.next().subscribe(seen::add);
    generator.next().subscribe(seen::add);
    // The reservation started for the first alone; the next is for both others.
    time.advanceTimeBy(LATENCY);
    assertThat(seen).containsExactly(1L);
    leaving.dispose();

    Disposable fourth = generator.values().subscribe(value -> {});
    for (int i = 0; i < 3; i++) {
      generator.next().subscribe(seen::add);
    }
    time.advanceTimeBy(LATENCY);
    assertThat(seen).containsExactly(1L, 2L, 3L);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    fourth.dispose(); // its reservation of two is on its way, and three singles waited as it began
    time.advanceTimeBy(LATENCY.dividedBy(2));
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(generator.snapshot().discarded()).isZero();
  }

  @Test
  void aSubscriberThatCancelsInTheMiddleOfItsShareLeavesAGap() {
    SequenceGenerator generator = generator();
    List<Long> seen = new ArrayList<>();
    generator.values().takeUntil(value -> value == 4).limitRate(10).subscribe(seen::add);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L);
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 11L);
    assertThat(generator.snapshot().discarded()).isEqualTo(6);
  }
}
