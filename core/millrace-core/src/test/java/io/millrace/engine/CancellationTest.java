package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A subscriber that cancels keeps what it was given, and nothing else. */
class CancellationTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private SequenceGenerator generator(long blockSize) {
    return SequenceGenerator.builder(store, "s").blockSize(blockSize).scheduler(time).build();
  }

  @Test
  void aStreamCancelledInTheMiddleOfAClaimGivesTheRestBack() {
    SequenceGenerator generator = generator(1_000);
    List<Long> seen = new ArrayList<>();
    generator.values().subscribe(cancellingAfter(10, seen));
    time.advanceTimeBy(LATENCY);
    assertThat(seen).hasSize(10);
    assertThat(generator.snapshot().issued()).isEqualTo(10);
    generator.next().subscribe(seen::add);
    assertThat(seen).endsWith(11L);
  }

  @Test
  void issuesAFragmentFirstToALowerSubscription() {
    SequenceGenerator generator = generator(1_000);
    List<Long> early = new ArrayList<>();
    List<Long> other = new ArrayList<>();
    List<Long> fresh = new ArrayList<>();
    BaseSubscriber<Long> risen = collecting(other);
    warm(generator);
    // A claim of a chunk; before it is issued, another claims behind it.
    generator
        .values()
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnNext(Long value) {
                early.add(value);
                if (early.size() == 3) {
                  generator.values().subscribe(risen);
                  risen.request(1);
                  cancel();
                }
              }
            });
    assertThat(early).containsExactly(1L, 2L, 3L);
    assertThat(other).containsExactly(257L);
    assertThat(generator.snapshot().issued()).isEqualTo(4);

    risen.request(1);
    assertThat(other).as("its values rise").containsExactly(257L, 258L);
    generator.values().take(2).subscribe(fresh::add);
    assertThat(fresh).as("given back, issued first").containsExactly(4L, 5L);
    generator.next(300).subscribe(fresh::addAll);
    assertThat(fresh).hasSize(302).isSorted().doesNotHaveDuplicates().doesNotContain(257L, 258L);
    assertThat(generator.snapshot().discarded()).isZero();
    assertThat(generator.snapshot().issued()).isEqualTo(3 + 2 + 302);
  }

  @Test
  void prefetchesAlthoughAFragmentIsLeft() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .blockSize(1_000)
            .lowWatermark(200)
            .scheduler(time)
            .build();
    List<Long> seen = new ArrayList<>();
    BaseSubscriber<Long> lasting = collecting(seen);
    warm(generator);
    generator
        .values()
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnNext(Long value) {
                generator.values().subscribe(lasting);
                lasting.request(1);
                cancel();
              }
            });
    assertThat(generator.snapshot().buffered()).as("255 of them given back").isEqualTo(998);
    for (int i = 0; i < 5_000; i++) {
      lasting.request(1);
      assertThat(generator.snapshot().waiters()).as("after %d values", i).isZero();
      time.advanceTimeBy(LATENCY);
    }
    assertThat(seen).hasSize(5_001).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void aWaiterThatLeavesIsSkippedAndItsShareGoesToTheNext(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").scheduler(time).build();
    List<Long> seen = new ArrayList<>();
    List<Disposable> leaving = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      leaving.add(generator.next().subscribe(seen::add));
      generator.next().subscribe(seen::add);
    }
    leaving.forEach(Disposable::dispose);
    assertThat(generator.snapshot().waiters()).isEqualTo(10);
    assertThat(generator.snapshot().unmetDemand()).isEqualTo(10);
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(seen).hasSize(10).doesNotHaveDuplicates();
    assertThat(generator.snapshot().waiters()).isZero();
  }

  @Test
  void keepsAReservationWhoseSubscriberCancels() {
    SequenceGenerator generator = generator(10);
    generator.next().subscribe().dispose();
    time.advanceTimeBy(LATENCY);
    assertThat(generator.snapshot().buffered()).isEqualTo(10);
  }

  @Test
  void aListThatIsCancelledHalfWayGivesBackWhatItHadCollected() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(4).maxBlockSize(4).scheduler(time).build();
    List<Long> seen = new ArrayList<>();
    Disposable list = generator.next(10).subscribe(seen::addAll);
    time.advanceTimeBy(LATENCY);
    assertThat(generator.snapshot().unmetDemand()).isEqualTo(6);
    list.dispose();
    assertThat(generator.snapshot().buffered()).isEqualTo(4);
    generator.next(4).subscribe(seen::addAll);
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void manyThatWaitAndLeaveDuringAnOutageAreForgotten() {
    store.hangNextReservations(1);
    SequenceGenerator generator = generator(10);
    generator.next().subscribe(); // stays, at the head of the line
    for (int i = 0; i < 100_000; i++) {
      generator.next().subscribe().dispose();
    }
    assertThat(generator.snapshot().waiters()).isEqualTo(1);
    assertThat(((BufferedSequenceGenerator) generator).queueLength()).isLessThan(200);
  }

  @Test
  void forgetsSubscribersThatLeaveAnIdleGenerator() {
    store.hangNextReservations(1);
    SequenceGenerator generator = generator(10);
    List<Disposable> waiting = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiting.add(generator.next().subscribe());
    }
    waiting.forEach(Disposable::dispose);
    assertThat(generator.snapshot().waiters()).isZero();
    assertThat(((BufferedSequenceGenerator) generator).queueLength()).isZero();
  }

  private void warm(SequenceGenerator generator) {
    generator.warmup().subscribe();
    time.advanceTimeBy(LATENCY);
    assertThat(generator.snapshot().buffered()).isEqualTo(1_000);
  }

  private static BaseSubscriber<Long> collecting(List<Long> into) {
    return new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {}

      @Override
      protected void hookOnNext(Long value) {
        into.add(value);
      }
    };
  }

  private static BaseSubscriber<Long> cancellingAfter(int count, List<Long> into) {
    return new BaseSubscriber<>() {
      @Override
      protected void hookOnNext(Long value) {
        into.add(value);
        if (into.size() == count) {
          cancel();
        }
      }
    };
  }
}
