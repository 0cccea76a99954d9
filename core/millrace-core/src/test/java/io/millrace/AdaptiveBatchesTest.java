package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;

/** How block size and watermark follow the use, whoever waits for it, and what it costs. */
class AdaptiveBatchesTest {

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
  void aStepFrom10To100000ASecondStallsOnceAtTheMost(long latencyMillis, long targetMillis) {
    latency(latencyMillis);
    UseInVirtualTime use = use(adaptive(10, MILLION, Duration.ofMillis(targetMillis)));
    use.atRate(10, Duration.ofMinutes(2)).restart();
    use.atRate(100_000, Duration.ofSeconds(1));
    assertThat(use.taken).isGreaterThan(90_000);
    assertThat(use.stalls).isLessThanOrEqualTo(1);
    assertThat(use.isWaiting()).isFalse();
  }

  @Test
  void aDayOfUseThatComesAndGoesIsBufferedMoreThriftilyThanByTheSmallestFixedSizesThatNeverStall() {
    latency(250);
    UseInVirtualTime adaptive = day(adaptive(3, MILLION, Duration.ofSeconds(1)), Long.MAX_VALUE);

    long watermark = 2;
    UseInVirtualTime fixed = day(fixed(watermark), 0);
    while (fixed.stalls > 0) {
      watermark++;
      fixed = day(fixed(watermark), 0);
    }
    assertThat(adaptive.taken).isGreaterThan(400_000);
    assertThat(adaptive.stalls).isLessThanOrEqualTo(1);
    assertThat(fixed.taken).isEqualTo(adaptive.taken);
    assertThat(watermark).isGreaterThan(2);
    assertThat(adaptive.meanBuffered()).isLessThan(0.9 * fixed.meanBuffered());
  }

  private SequenceGenerator fixed(long watermark) {
    return SequenceGenerator.builder(store, "s")
        .batchSize(watermark + 1)
        .lowWatermark(watermark)
        .scheduler(time)
        .build();
  }

  /** From 0.5 a second at midnight to 10 at noon; ends early if it stalls too often. */
  private UseInVirtualTime day(SequenceGenerator generator, long mostStalls) {
    DoubleUnaryOperator wave = at -> 5.25 - 4.75 * Math.cos(2 * Math.PI * at / 86_400);
    generator.warmup().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    return use(generator).atRandom(new Random(1), 10, wave, Duration.ofHours(24), mostStalls);
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
  void whenItIsHardlyUsedItIsBackAtTheSmallestBlock() {
    latency(5);
    SequenceGenerator generator = adaptive(100, MILLION, Duration.ofSeconds(1));
    UseInVirtualTime use = use(generator).atRate(10_000, Duration.ofSeconds(10));
    assertThat(generator.snapshot().batchSize()).isGreaterThan(9_000);
    assertThat(generator.snapshot().lowWatermark()).isBetween(98L, 104L);

    time.advanceTimeBy(Duration.ofHours(1));
    use.atRate(1, Duration.ofHours(4)).restart();
    assertThat(generator.snapshot().batchSize()).isEqualTo(100);
    assertThat(generator.snapshot().lowWatermark()).isEqualTo(2);
    use.atRate(1, Duration.ofMinutes(10));
    assertThat(use.mostBuffered).isBetween(100L, 102L);
    assertThat(use.stalls).isZero();
  }

  @ParameterizedTest
  @CsvSource({"100, 2000, 10", "1000, 2000, 10", "5000, 500, 2", "50, 30000, 100"})
  void atASteadyRateTheBufferIsWhatIsAskedForInTheTargetAndNoMore(
      long rate, long targetMillis, long latencyMillis) {
    latency(latencyMillis);
    UseInVirtualTime use = use(adaptive(3, MILLION, Duration.ofMillis(targetMillis)));
    use.atRate(rate, Duration.ofMillis(8 * targetMillis)).restart();
    use.atRate(rate, Duration.ofMillis(5 * targetMillis));
    double budget = rate * targetMillis / 1e3;
    assertThat((double) use.mostBuffered).isBetween(0.9 * budget, budget);
    assertThat(use.stalls).isZero();
  }

  @Test
  void toKeepUpComesBeforeTheTarget() {
    latency(100);
    SequenceGenerator generator = adaptive(3, MILLION, Duration.ofMillis(1));
    UseInVirtualTime use = use(generator).atRate(1_000, Duration.ofSeconds(10)).restart();
    use.atRate(1_000, Duration.ofSeconds(10));
    assertThat(use.stalls).isZero();
    assertThat(generator.snapshot().lowWatermark()).isBetween(200L, 210L);
    assertThat(generator.snapshot().batchSize()).isEqualTo(generator.snapshot().lowWatermark() + 1);
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
  void whatWasWaitedForWhileTheStoreWasDownIsNoReasonToStartEarlier() {
    latency(5);
    SequenceGenerator generator = adaptive(10, MILLION, Duration.ofSeconds(1));
    UseInVirtualTime use = use(generator).atRate(1_000, Duration.ofSeconds(10)).restart();
    long watermark = generator.snapshot().lowWatermark();
    assertThat(watermark).isBetween(10L, 12L);
    store.failNextReservations(3, new IllegalStateException("on purpose"));
    use.atRate(1_000, Duration.ofSeconds(1));
    assertThat(generator.snapshot().failing()).isTrue();
    use.atRate(1_000, Duration.ofSeconds(10));
    assertThat(generator.snapshot().failing()).isFalse();
    assertThat(use.stalls).isEqualTo(1);
    assertThat(generator.snapshot().lowWatermark()).isBetween(10L, 12L);
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

  @Test
  void aDemandWithoutBoundIsForgottenOnceItIsOver() {
    latency(5);
    SequenceGenerator generator = adaptive(10, 100_000, Duration.ofSeconds(1));
    UseInVirtualTime use = use(generator).atRate(10, Duration.ofMinutes(1)).restart();
    long[] taken = {0};
    Disposable endless = generator.values().subscribe(value -> taken[0]++);
    time.advanceTimeBy(Duration.ofMillis(200));
    endless.dispose();
    assertThat(taken[0]).isGreaterThan(100_000);
    assertThat(generator.snapshot().lowWatermark()).isLessThan(30);

    use.atRate(10, Duration.ofHours(3)); // while what it had asked for is used
    assertThat(generator.snapshot().lowWatermark()).isLessThan(5);
    use.restart().atRate(10, Duration.ofMinutes(5));
    assertThat(use.mostBuffered).isBetween(9L, 12L);
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

  @ParameterizedTest
  @ValueSource(longs = {10_000_000, Long.MAX_VALUE - 1})
  void aHugeDemandIsForgottenAsFastAsTheLargestThatCounts(long demand) {
    latency(5);
    SequenceGenerator generator = adaptive(10, 100_000, Duration.ofSeconds(10));
    UseInVirtualTime use = use(generator).atRate(1_000, Duration.ofMinutes(2)).restart();
    while (!generator.snapshot().reservationInFlight()) {
      use.atRate(1_000, Duration.ofMillis(1));
    }
    BaseSubscriber<Long> greedy = ask(generator, demand);
    time.advanceTimeBy(Duration.ofSeconds(1));
    greedy.cancel();
    assertThat(generator.snapshot().issued()).isGreaterThan(10_000_000);
    use.atRate(1_000, Duration.ofMinutes(4)); // one and a half, since blocks are large
    assertThat(generator.snapshot().lowWatermark()).isBetween(10_000L, 50_002L);
    use.atRate(1_000, Duration.ofMinutes(10));
    use.restart().atRate(1_000, Duration.ofMinutes(1));
    assertThat(use.mostBuffered).isBetween(9_000L, 10_000L);
    assertThat(use.stalls).isZero();
  }

  private static BaseSubscriber<Long> ask(SequenceGenerator generator, long demand) {
    BaseSubscriber<Long> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            request(demand);
          }
        };
    generator.values().subscribe(subscriber);
    return subscriber;
  }
}
