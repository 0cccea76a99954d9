package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.HandDrivenFlux;
import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.SequenceGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

/** The source, the store, demand and cancellation, each on a thread of its own. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignFluxRaceTest {

  private static final int ELEMENTS = 300;
  private static final int ROUNDS = 100;

  /** Seconds that one race may take; threads that share a core take turns over and over. */
  private static final int LIMIT = 60;

  /** An element and the value it was given. */
  private record Pair(Long element, long value) {}

  /** Records what comes, and whether two signals ever overlapped. */
  private static final class Recorder extends BaseSubscriber<Pair> {

    private final List<Pair> received = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean overlapped;
    private volatile boolean completed;

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(Pair pair) {
      overlapped |= inside.incrementAndGet() != 1;
      received.add(pair);
      inside.decrementAndGet();
    }

    @Override
    protected void hookOnComplete() {
      overlapped |= inside.get() != 0;
      completed = true;
    }
  }

  /** One stream, and who takes part in it. */
  private static final class Round {

    private final HandDrivenFlux<Long> source = new HandDrivenFlux<>(number -> number);
    private final HeldStore store = new HeldStore();
    private final SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .blockSize(7)
            .lowWatermark(2)
            .scheduler(new InlineScheduler())
            .build();
    private final Recorder recorder = new Recorder();
    private final ConcurrentLinkedQueue<Long> discarded = new ConcurrentLinkedQueue<>();

    Round() {
      source
          .transform(generator.<Long, Pair>assign(Pair::new))
          .doOnDiscard(Long.class, discarded::add)
          .subscribe(recorder);
    }

    void emit() {
      source.emit(ELEMENTS, () -> false);
    }

    void requestOneByOne() {
      for (int i = 0; i < ELEMENTS; i++) {
        recorder.request(1);
      }
    }

    void answer() {
      while (!recorder.isDisposed()) {
        if (!store.answer()) {
          Thread.onSpinWait();
        }
      }
    }

    void checkOrder() {
      assertThat(recorder.overlapped).as("signals overlapped").isFalse();
      assertThat(recorder.received)
          .isEqualTo(
              LongStream.range(0, recorder.received.size())
                  .mapToObj(number -> new Pair(number, number + 1))
                  .toList());
      assertThat(generator.snapshot().issued()).isEqualTo(recorder.received.size());
      assertThat(generator.snapshot().waiters()).isZero();
    }
  }

  @Test
  void nothingIsLostWhenElementsValuesAndDemandRace() {
    for (int round = 0; round < ROUNDS; round++) {
      Round one = new Round();
      RaceTestUtils.race(
          LIMIT,
          Schedulers.boundedElastic(),
          () -> {
            one.emit();
            one.source.complete();
          },
          one::answer,
          one::requestOneByOne);

      one.checkOrder();
      assertThat(one.recorder.received).hasSize(ELEMENTS);
      assertThat(one.recorder.completed).isTrue();
      assertThat(one.discarded).isEmpty();
    }
  }

  @Test
  void everyElementIsEitherEmittedOrDiscardedWhenCancellationRaces() {
    int rest = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int cancelAfter = 1 + round * ELEMENTS / ROUNDS;
      Round one = new Round();
      RaceTestUtils.race(
          LIMIT,
          Schedulers.boundedElastic(),
          one::emit,
          one::answer,
          one::requestOneByOne,
          () -> {
            while (one.source.emitted() < cancelAfter) {
              Thread.onSpinWait();
            }
            one.recorder.cancel();
          });

      one.checkOrder();
      assertThat(
              Stream.concat(
                      one.recorder.received.stream().map(Pair::element), one.discarded.stream())
                  .sorted())
          .containsExactlyElementsOf(LongStream.range(0, one.source.emitted()).boxed().toList());
      assertThat(one.source.isCancelled()).isTrue();
      rest += one.discarded.size();
    }
    assertThat(rest).as("elements discarded").isPositive();
  }
}
