package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ManualScheduler;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** When the store is asked for values, and for how many: only for demand and the watermark. */
class RefillTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private SequenceGeneratorBuilder builder() {
    return SequenceGenerator.builder(store, "s").scheduler(time);
  }

  @Test
  void aLargeRequestMakesOneReservationAsLargeAsItself() {
    SequenceGenerator generator =
        builder().blockSize(1_000).maxBlockSize(10_000).lowWatermark(0).build();
    List<Long> seen = new ArrayList<>();
    generator.values().take(10_000).subscribe(seen::add);
    time.advanceTimeBy(LATENCY.multipliedBy(20));
    assertThat(seen).hasSize(10_000);
    assertThat(store.reservations()).isEqualTo(1);
    assertThat(generator.snapshot().buffered()).isZero();
  }

  @Test
  void aReservationIsNeverLargerThanMaxBlockSize() {
    SequenceGenerator generator = builder().blockSize(100).maxBlockSize(400).build();
    List<Long> seen = new ArrayList<>();
    generator.values().take(1_000).subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    assertThat(seen).hasSize(400);
    time.advanceTimeBy(LATENCY.multipliedBy(10));
    assertThat(seen).hasSize(1_000);
    assertThat(store.reservations()).isEqualTo(3);
  }

  @Test
  void reservesTheNextBlockAtTheWatermark() {
    SequenceGenerator generator = builder().blockSize(10).lowWatermark(4).build();
    List<Long> seen = new ArrayList<>();
    take(generator, 5, seen);
    time.advanceTimeBy(LATENCY.multipliedBy(10));
    assertThat(seen).hasSize(5);
    assertThat(store.reservations()).as("five are left, above the watermark").isEqualTo(1);

    take(generator, 1, seen);
    assertThat(generator.snapshot().reservationInFlight()).isTrue();
    time.advanceTimeBy(LATENCY.multipliedBy(10));
    assertThat(store.reservations()).as("four were left").isEqualTo(2);
    assertThat(generator.snapshot().buffered()).isEqualTo(14);

    take(generator, 14, seen);
    assertThat(seen).as("taken without waiting").hasSize(20).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void prefetchesAgainAfterAFailureWhenAFragmentIsUsed() {
    SequenceGenerator generator = builder().blockSize(10).lowWatermark(4).build();
    List<Long> seen = new ArrayList<>();
    take(generator, 1, seen);
    time.advanceTimeBy(LATENCY);
    store.failNextReservations(1, new IllegalArgumentException("never retried by itself"));
    generator
        .values()
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                request(8); // leaves one value, so the next block is reserved
              }

              @Override
              protected void hookOnNext(Long value) {
                take(generator, 1, seen); // so that the rest of the claim becomes a fragment
                cancel();
              }
            });
    time.advanceTimeBy(Duration.ofMinutes(1)); // it fails, and the hold is over
    assertThat(generator.snapshot().lastFailure()).isNotNull();
    assertThat(generator.snapshot().buffered()).isEqualTo(7);

    take(generator, 1, seen);
    assertThat(generator.snapshot().reservationInFlight()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 50, 999})
  void neverReservesMoreThanDemandAndWatermarkRoundedToABlock(int step) {
    long block = 20;
    long watermark = 5;
    SequenceGenerator generator = builder().blockSize(block).lowWatermark(watermark).build();
    List<Long> seen = new ArrayList<>();
    for (int round = 0; round < 40; round++) {
      take(generator, step, seen);
      SequenceGeneratorSnapshot now = generator.snapshot();
      assertThat(now.buffered()).isLessThanOrEqualTo(watermark + block);
      time.advanceTimeBy(LATENCY.multipliedBy(3));
      SequenceGeneratorSnapshot later = generator.snapshot();
      long reserved = later.issued() + later.buffered() + later.discarded();
      assertThat(reserved)
          .isLessThanOrEqualTo(later.issued() + later.unmetDemand() + watermark + block);
    }
    assertThat(seen).hasSize(40 * step).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void makesOneReservationAtATime(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").scheduler(time).build();
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      generator.next().subscribe(seen::add);
    }
    assertThat(store.reservations()).isEqualTo(1);
    assertThat(generator.snapshot().waiters()).isEqualTo(30);
    assertThat(generator.snapshot().unmetDemand()).isEqualTo(30);
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(seen).hasSize(30).doesNotHaveDuplicates();
    assertThat(store.reservations()).isLessThanOrEqualTo(3);
  }

  @Test
  void unboundedDemandSaturatesAndReservesMaxBlockSize() {
    SequenceGenerator generator = builder().blockSize(10).maxBlockSize(50).build();
    List<Long> seen = new ArrayList<>();
    Disposable one = generator.values().subscribe(seen::add);
    Disposable two = generator.values().subscribe(seen::add);
    assertThat(generator.snapshot().unmetDemand()).isEqualTo(Long.MAX_VALUE);
    time.advanceTimeBy(LATENCY);
    assertThat(seen).hasSize(50);
    one.dispose();
    two.dispose();
    assertThat(generator.snapshot().unmetDemand()).isZero();
    assertThat(generator.snapshot().waiters()).isZero();
  }

  @Test
  void anUnboundedStreamStarvesNobody() {
    SequenceGenerator generator = builder().blockSize(1_000).maxBlockSize(1_000).build();
    List<String> order = new ArrayList<>();
    Disposable endless = generator.values().subscribe(value -> order.add("endless"));
    for (int i = 0; i < 5; i++) {
      generator.next().subscribe(value -> order.add("single"));
    }
    time.advanceTimeBy(LATENCY);
    endless.dispose();
    assertThat(order).hasSize(1_000);
    assertThat(order).as("served from the same block").filteredOn("single"::equals).hasSize(5);
    assertThat(order.lastIndexOf("single")).as("after one chunk").isLessThan(256 + 5);
  }

  @Test
  void waitersAreServedInTheOrderTheyCame() {
    SequenceGenerator generator = builder().blockSize(10).build();
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      generator.next().subscribe(value -> order.add(number + ":" + value));
    }
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    for (int i = 0; i < 20; i++) {
      assertThat(order.get(i)).isEqualTo(i + ":" + (i + 1));
    }
  }

  @Test
  void servesWaitersBeforeANewcomer() {
    SequenceGenerator generator = builder().blockSize(10).build();
    List<String> order = new ArrayList<>();
    generator
        .next()
        .subscribe(
            first -> {
              order.add("first " + first);
              generator.next().subscribe(late -> order.add("late " + late));
            });
    generator.next().subscribe(second -> order.add("second " + second));
    generator.next().subscribe(third -> order.add("third " + third));
    time.advanceTimeBy(LATENCY);
    assertThat(order).containsExactly("first 1", "second 2", "third 3", "late 4");
  }

  @Test
  void demandRequestedWhileWaitingIsServedInOneGo() {
    SequenceGenerator generator = builder().blockSize(2).build();
    StepVerifier.create(generator.values(), 0)
        .expectSubscription()
        .thenRequest(1)
        .thenRequest(Long.MAX_VALUE)
        .then(() -> time.advanceTimeBy(LATENCY.multipliedBy(3)))
        .expectNextCount(10_002)
        .thenCancel()
        .verify(Duration.ofSeconds(30));
  }

  private void take(SequenceGenerator generator, int count, List<Long> into) {
    generator.values().take(count).subscribe(into::add);
  }

  /** The waiter leaves while the attempt adds up the demand, and another subscriber comes. */
  @Test
  void aSubscriberThatComesWhileAnAttemptFindsNoDemandIsServed() {
    ManualScheduler queue = new ManualScheduler();
    InMemorySequenceStore answersAtOnce = InMemorySequenceStore.withSequence("s", 1);
    BufferedSequenceGenerator generator =
        (BufferedSequenceGenerator)
            Setting.ORDERED.builder(answersAtOnce, "s").scheduler(queue).build();
    List<Long> seen = new ArrayList<>();
    Leaving leaving = new Leaving(generator, () -> generator.next().subscribe(seen::add));
    generator.enqueue(leaving);
    assertThat(queue.queued()).as("the attempt").isEqualTo(1);
    leaving.armed = true;
    queue.runNext();
    assertThat(leaving.armed).as("left while the demand was added up").isFalse();
    assertThat(answersAtOnce.reservations()).isZero();
    queue.runAll();
    assertThat(seen).hasSize(1);
  }

  private static final class Leaving extends Waiter<Long> {

    private final Runnable then;
    private boolean armed;

    Leaving(BufferedSequenceGenerator generator, Runnable then) {
      super(generator, new BaseSubscriber<Long>() {}, RUNNING);
      this.then = then;
    }

    @Override
    long unmet() {
      if (armed) {
        armed = false;
        cancel();
        then.run();
        return 0;
      }
      return 1;
    }

    @Override
    void deliver() {}

    @Override
    boolean mayExceedLimit() {
      return true;
    }
  }
}
