package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.HandDrivenFlux;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

/** The source, the values, demand and cancellation, each on a thread of its own. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignFluxRaceTest {

  private static final int ELEMENTS = 300;
  private static final int ROUNDS = 200;

  /** Seconds that one race may take; threads that share a core take turns over and over. */
  private static final int LIMIT = 60;

  /** An element and the value it was given. */
  private record Pair(Long element, Long value) {}

  private static final class OnPurpose extends RuntimeException {

    private static final long serialVersionUID = 1;

    OnPurpose(String message) {
      super(message);
    }
  }

  /** Records what comes, and whether two signals ever overlapped. */
  private static final class Recorder extends BaseSubscriber<Pair> {

    private final List<Pair> received = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean overlapped;
    private volatile boolean over;

    private void enter() {
      overlapped |= inside.incrementAndGet() != 1;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(Pair pair) {
      enter();
      received.add(pair);
      inside.decrementAndGet();
    }

    @Override
    protected void hookOnComplete() {
      enter();
      over = true;
      inside.decrementAndGet();
    }

    @Override
    protected void hookOnError(Throwable error) {
      enter();
      failure.set(error);
      over = true;
      inside.decrementAndGet();
    }
  }

  private final HandDrivenFlux<Long> source = new HandDrivenFlux<>(number -> number);
  private final HandDrivenFlux<Long> values = new HandDrivenFlux<>(number -> number + 1_000);
  private final Recorder recorder = new Recorder();
  private final ConcurrentLinkedQueue<Long> discarded = new ConcurrentLinkedQueue<>();

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  /** The messages of this test's errors that are dropped; those of others may still come. */
  private static ConcurrentLinkedQueue<String> dropped() {
    ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
    Hooks.onErrorDropped(
        error -> {
          if (error instanceof OnPurpose) {
            messages.add(String.valueOf(error.getMessage()));
          }
        });
    return messages;
  }

  private void subscribe() {
    CoreSubscriber<Pair> subscriber = recorder;
    new AssignFlux<>(source, values, Pair::new)
        .doOnDiscard(Long.class, discarded::add)
        .subscribe(subscriber);
  }

  private void requestOneByOne() {
    for (int i = 0; i < ELEMENTS; i++) {
      recorder.request(1);
    }
  }

  private void assertPairedInOrder() {
    assertThat(recorder.overlapped).as("signals overlapped").isFalse();
    for (int i = 0; i < recorder.received.size(); i++) {
      assertThat(recorder.received.get(i)).isEqualTo(new Pair((long) i, i + 1_000L));
    }
    assertThat(source.requested()).isLessThanOrEqualTo(ELEMENTS);
    assertThat(values.requested()).isLessThanOrEqualTo(source.emitted());
  }

  @Test
  void nothingIsLostWhenElementsValuesAndDemandRace() {
    for (int round = 0; round < ROUNDS; round++) {
      AssignFluxRaceTest one = new AssignFluxRaceTest();
      one.subscribe();
      RaceTestUtils.race(
          LIMIT,
          Schedulers.boundedElastic(),
          () -> {
            one.source.emit(ELEMENTS, () -> false);
            one.source.complete();
          },
          () -> one.values.emit(ELEMENTS, () -> false),
          one::requestOneByOne);

      one.assertPairedInOrder();
      assertThat(one.recorder.received).hasSize(ELEMENTS);
      assertThat(one.recorder.over).isTrue();
      assertThat(one.recorder.failure.get()).isNull();
      assertThat(one.values.requested()).isEqualTo(ELEMENTS);
      assertThat(one.values.isCancelled()).isTrue();
      assertThat(one.discarded).isEmpty();
    }
  }

  @Test
  void everyElementIsEitherEmittedOrDiscardedWhenCancellationRaces() {
    for (int round = 0; round < ROUNDS; round++) {
      int cancelAfter = 1 + round * ELEMENTS / ROUNDS;
      boolean held = round % 2 == 1; // the last element before the cancellation gets no value
      int paired = held ? cancelAfter - 1 : ELEMENTS;
      AssignFluxRaceTest one = new AssignFluxRaceTest();
      one.subscribe();
      RaceTestUtils.race(
          LIMIT,
          Schedulers.boundedElastic(),
          () -> one.source.emit(ELEMENTS, () -> false),
          () -> one.values.emit(paired, one.source::isCancelled),
          one::requestOneByOne,
          () -> {
            while (one.source.emitted() < cancelAfter) {
              Thread.onSpinWait();
            }
            one.recorder.cancel();
          });

      one.assertPairedInOrder();
      List<Long> accounted =
          Stream.concat(one.recorder.received.stream().map(Pair::element), one.discarded.stream())
              .sorted()
              .toList();
      assertThat(accounted)
          .isEqualTo(Stream.iterate(0L, n -> n + 1).limit(one.source.emitted()).toList());
      assertThat(one.source.isCancelled()).isTrue();
      if (held) {
        assertThat(one.discarded).as("held when the cancellation came").isNotEmpty();
      }
    }
  }

  @Test
  void thereIsOneEndWhenTheSourceAndTheValuesFailAtOnce() {
    ConcurrentLinkedQueue<String> dropped = dropped();
    for (int round = 0; round < ROUNDS; round++) {
      AssignFluxRaceTest one = new AssignFluxRaceTest();
      one.subscribe();
      one.recorder.request(Long.MAX_VALUE);
      one.source.emit(100, () -> false);
      RaceTestUtils.race(
          LIMIT,
          Schedulers.boundedElastic(),
          () -> one.source.fail(new OnPurpose("source")),
          () -> {
            one.values.emit(50, one.source::isCancelled);
            one.values.fail(new OnPurpose("values"));
          });

      assertThat(one.recorder.failure.get()).hasMessage("values");
      assertThat(one.recorder.received).hasSize(50);
      assertThat(one.discarded).hasSize(50);
    }
    assertThat(dropped).hasSize(ROUNDS).containsOnly("source");
  }

  /** In some rounds one of the two comes first for certain; in the others they race. */
  @Test
  void anErrorOfTheSourceOrTheValuesThatRacesWithACancelIsNotLost() {
    ConcurrentLinkedQueue<String> dropped = dropped();
    int toldInAll = 0;
    for (int round = 0; round < 20 * ROUNDS; round++) {
      dropped.clear();
      boolean ofTheSource = round % 2 == 0;
      AssignFluxRaceTest one = new AssignFluxRaceTest();
      one.subscribe();
      one.recorder.request(Long.MAX_VALUE);
      one.source.emit(1, () -> false);
      Runnable fail =
          () -> (ofTheSource ? one.source : one.values).fail(new OnPurpose("on purpose"));
      Runnable pairTheElement = // without which an error of the source is not passed on
          () -> {
            if (ofTheSource) {
              one.values.emit(1, one.recorder::isDisposed);
            }
          };
      switch (round % 20) {
        case 0, 1 -> {
          fail.run();
          pairTheElement.run();
          one.recorder.cancel();
        }
        case 2, 3 -> {
          one.recorder.cancel();
          fail.run();
        }
        default -> {
          RaceTestUtils.race(LIMIT, Schedulers.boundedElastic(), fail, one.recorder::cancel);
          pairTheElement.run();
        }
      }

      int told = one.recorder.failure.get() == null ? 0 : 1;
      assertThat(told + dropped.size()).as("round %d, dropped %s", round, dropped).isEqualTo(1);
      toldInAll += told;
    }
    assertThat(toldInAll).as("told, and not dropped").isBetween(2 * ROUNDS, 18 * ROUNDS);
  }
}
