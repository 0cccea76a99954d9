package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** How block size and watermark follow the use, whoever waits for it, and what it costs. */
class AdaptiveBlocksTest {

  private static final long MILLION = 1_000_000;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  private SequenceGenerator adaptive(long min, long max, Duration target) {
    return SequenceGenerator.builder(store, "s").adaptive(min, max, target).scheduler(time).build();
  }

  private UseInVirtualTime use(SequenceGenerator generator) {
    return new UseInVirtualTime(generator, time);
  }

  private void latency(long millis) {
    store.latency(Duration.ofMillis(millis), time);
  }

  @ParameterizedTest
  @CsvSource({"5, 100", "5, 1000", "5, 10000", "20, 1000", "50, 10000"})
  void stallsOnceWhenTheRateRisesFrom10To100000(long latencyMillis, long targetMillis) {
    latency(latencyMillis);
    UseInVirtualTime use = use(adaptive(10, MILLION, Duration.ofMillis(targetMillis)));
    use.atRate(10, Duration.ofMinutes(2)).restart();
    use.atRate(100_000, Duration.ofSeconds(1));
    assertThat(use.taken).isGreaterThan(90_000);
    assertThat(use.stalls).isLessThanOrEqualTo(1);
    assertThat(use.isWaiting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1_000, 10_000})
  void aStoreThatBecomes40TimesSlowerIsCaughtUpWithInThreeReservations(long targetMillis) {
    latency(5);
    UseInVirtualTime use = use(adaptive(10, MILLION, Duration.ofMillis(targetMillis)));
    use.atRate(1_000, Duration.ofMinutes(1)).restart();
    assertThat(use.isWaiting()).isFalse();
    latency(200);
    long before = store.reservations();
    long lastToBeWaitedFor = before;
    for (int i = 0; i < 60_000; i++) {
      use.atRate(1_000, Duration.ofMillis(1));
      if (use.isWaiting()) {
        lastToBeWaitedFor = store.reservations();
      }
    }
    assertThat(store.reservations() - before).isGreaterThan(5);
    assertThat(lastToBeWaitedFor - before).isLessThanOrEqualTo(3);
  }

  @Test
  void shrinksToTheSmallestBlockWhenHardlyUsed() {
    latency(5);
    SequenceGenerator generator = adaptive(100, MILLION, Duration.ofSeconds(1));
    UseInVirtualTime use = use(generator).atRate(10_000, Duration.ofSeconds(10));
    assertThat(generator.snapshot().blockSize()).isGreaterThan(9_000);
    assertThat(generator.snapshot().lowWatermark()).isBetween(98L, 104L);

    time.advanceTimeBy(Duration.ofHours(1));
    use.atRate(1, Duration.ofHours(4)).restart();
    assertThat(generator.snapshot().blockSize()).isEqualTo(100);
    assertThat(generator.snapshot().lowWatermark()).isEqualTo(2);
    use.atRate(1, Duration.ofMinutes(10));
    assertThat(use.mostBuffered).isBetween(100L, 102L);
    assertThat(use.stalls).isZero();
  }

  @ParameterizedTest
  @CsvSource({"100, 2000, 10", "1000, 2000, 10", "5000, 500, 2", "50, 30000, 100"})
  void buffersTheDemandOfTheTargetAtASteadyRate(long rate, long targetMillis, long latencyMillis) {
    latency(latencyMillis);
    UseInVirtualTime use = use(adaptive(3, MILLION, Duration.ofMillis(targetMillis)));
    use.atRate(rate, Duration.ofMillis(8 * targetMillis)).restart();
    use.atRate(rate, Duration.ofMillis(5 * targetMillis));
    double budget = rate * targetMillis / 1e3;
    assertThat((double) use.mostBuffered).isBetween(0.9 * budget, budget);
    assertThat(use.stalls).isZero();
  }

  @Test
  void keepsUpWithDemandBeforeTheTarget() {
    latency(100);
    SequenceGenerator generator = adaptive(3, MILLION, Duration.ofMillis(1));
    UseInVirtualTime use = use(generator).atRate(1_000, Duration.ofSeconds(10)).restart();
    use.atRate(1_000, Duration.ofSeconds(10));
    assertThat(use.stalls).isZero();
    assertThat(generator.snapshot().lowWatermark()).isBetween(200L, 210L);
    assertThat(generator.snapshot().blockSize()).isEqualTo(generator.snapshot().lowWatermark() + 1);
  }

  @Test
  void reservationsStayWithinTheBounds() {
    latency(5);
    RecordingRecorder recorder = new RecordingRecorder();
    List<Long> sizes = recorder.sizes;
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .adaptive(20, 500, Duration.ofSeconds(1))
            .metrics(recorder)
            .scheduler(time)
            .build();
    UseInVirtualTime use = use(generator).atRate(1, Duration.ofMinutes(1));
    use.atRate(10_000, Duration.ofSeconds(1));
    use.atRate(1, Duration.ofHours(2));
    assertThat(sizes).hasSizeGreaterThan(20).contains(500L, 20L).allMatch(size -> size >= 20);
    assertThat(sizes).allMatch(size -> size <= 500);

    sizes.clear();
    List<Long> many = new ArrayList<>();
    generator.next(2_000).subscribe(many::addAll);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(many).hasSize(2_000).isSorted().doesNotHaveDuplicates();
    assertThat(sizes).hasSizeBetween(4, 7).allMatch(size -> size <= 500);
  }

  @Test
  void aDemandWithoutBoundObtainsMoreWithEachReservation() {
    latency(5);
    RecordingRecorder recorder = new RecordingRecorder();
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .adaptive(10, 10_000, Duration.ofSeconds(10))
            .metrics(recorder)
            .scheduler(time)
            .build();
    List<Long> first = new ArrayList<>();
    generator.values().next().subscribe(first::add); // requests without bound, and leaves
    time.advanceTimeBy(Duration.ofMillis(5));
    assertThat(first).hasSize(1);
    assertThat(generator.snapshot().buffered()).isLessThan(30);

    List<Long> seen = new ArrayList<>();
    Disposable endless = generator.values().subscribe(seen::add);
    time.advanceTimeBy(Duration.ofMillis(100));
    endless.dispose();
    assertThat(seen).hasSizeGreaterThan(50_000).isSorted().doesNotHaveDuplicates();
    assertThat(recorder.sizes).hasSizeLessThan(25).isSorted().endsWith(10_000L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 50, 1_000})
  void aDemandWithoutBoundDoesNotRaiseTheWatermarkOfOthers(long milliseconds) {
    latency(5);
    SequenceGenerator generator = adaptive(10, 10_000, Duration.ofSeconds(1));
    UseInVirtualTime use = use(generator).atRate(1_000, Duration.ofMinutes(2)).restart();
    long before = generator.snapshot().lowWatermark();
    assertThat(before).isBetween(10L, 14L);
    long[] taken = {0};
    for (int i = 0; i < 10; i++) {
      Disposable endless = generator.values().subscribe(value -> taken[0]++);
      use.atRate(1_000, Duration.ofMillis(milliseconds));
      endless.dispose();
      use.atRate(1_000, Duration.ofMillis(700 + 37 * i));
    }
    assertThat(taken[0]).isPositive();
    assertThat(generator.snapshot().lowWatermark()).isLessThanOrEqualTo(before + 2);
    use.restart().atRate(1_000, Duration.ofSeconds(10));
    assertThat(generator.snapshot().lowWatermark()).isBetween(6L, before + 2);
    use.restart().atRate(1_000, Duration.ofMinutes(1));
    assertThat(use.stalls).isZero();
  }
}
