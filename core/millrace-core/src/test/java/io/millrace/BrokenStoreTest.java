package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A store that breaks its contract is reported as such and does no harm. */
class BrokenStoreTest {

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final ScriptedStore store = new ScriptedStore();
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();
  private final AtomicLong discarded = new AtomicLong();
  private final AtomicLong released = new AtomicLong();

  private SequenceGeneratorBuilder builder() {
    return SequenceGenerator.builder(store, "s")
        .blockSize(10)
        .scheduler(time)
        .backoff(Duration.ofMillis(10), Duration.ofMillis(10), 0, 2);
  }

  @Test
  void aThrowIsAFailureLikeAnyOtherAndIsRetried() {
    store.answers.add(
        size -> {
          throw new IllegalStateException("not today");
        });
    store.answers.add(size -> Mono.just(SequenceBlock.of(1, size)));
    builder().build().next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMillis(10));
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
  }

  @Test
  void theTimeLimitEndsARequestWhoseCancelThrows() {
    store.answers.add(
        size ->
            Mono.create(
                sink ->
                    sink.onCancel(
                        () -> {
                          throw new IllegalStateException("on purpose");
                        })));
    store.answers.add(size -> Mono.just(SequenceBlock.of(1, size)));
    SequenceGenerator generator =
        builder()
            .scheduler(Schedulers.parallel()) // which logs what its tasks throw
            .reservationTimeout(Duration.ofMillis(1))
            .build();
    assertThat(generator.next().block(Duration.ofSeconds(30))).isEqualTo(1);
  }

  @Test
  void aReleaseWhoseCancelThrowsDoesNotKeepTheGeneratorFromItsEnd() {
    SequenceStore throwing =
        new DelegatingSequenceStore(InMemorySequenceStore.withSequence("s", 1)) {
          @Override
          public Mono<Boolean> release(String sequence, SequenceBlock tail) {
            return Mono.create(
                sink ->
                    sink.onCancel(
                        () -> {
                          throw new IllegalStateException("on purpose");
                        }));
          }
        };
    SequenceGenerator generator =
        SequenceGenerator.builder(throwing, "s")
            .blockSize(10)
            .reservationTimeout(Duration.ofMillis(1))
            .build();
    assertThat(generator.next().block(Duration.ofSeconds(30))).isEqualTo(1);
    generator.disposeLater().block(Duration.ofSeconds(30));
    assertThat(generator.snapshot().discarded()).isEqualTo(9);
  }

  @Test
  void timeLimitCoversAStoreThatNeverSubscribes() {
    store.answers.add(size -> Mono.from(subscriber -> {}));
    store.answers.add(size -> Mono.just(SequenceBlock.of(1, size)));
    builder()
        .reservationTimeout(Duration.ofSeconds(1))
        .build()
        .next()
        .subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
  }

  @Test
  void aRequestThatTheStoreCallsInvalidFailsForGood() {
    store.answers.add(
        size -> {
          throw new IllegalArgumentException("the name is too long");
        });
    builder().build().next().subscribe(seen::add, errors::add);
    assertThat(errors)
        .singleElement(InstanceOfAssertFactories.type(SequenceException.class))
        .satisfies(refused -> assertThat(refused.isPermanent()).isTrue())
        .satisfies(refused -> assertThat(refused).hasMessageContaining("the name is too long"));
  }

  @ParameterizedTest
  @CsvSource({"0, without a block of 10 values", "9, a block of 9 values", "11, a block of 11"})
  void refusesABlockOfAnotherSize(long size, String message) {
    store.answers.add(asked -> size == 0 ? Mono.empty() : Mono.just(SequenceBlock.of(1, size)));
    expectRefused(builder().build(), SequenceStoreException.class, message);
  }

  @Test
  void aBlockThatOverlapsTheOneBeforeIsRefused() {
    SequenceGenerator generator = builder().build();
    takeBlock(generator, 1);
    store.answers.add(size -> Mono.just(SequenceBlock.of(10, size)));
    expectRefused(generator, SequenceRegressionException.class, "more than 10, got 10");
  }

  @Test
  void aCounterThatMovedBackIsRefusedUntilItIsPastWhatWasSeen() {
    SequenceGenerator generator = builder().build();
    takeBlock(generator, 101);
    store.answers.add(size -> Mono.just(SequenceBlock.of(1, size)));
    expectRefused(generator, SequenceRegressionException.class, "more than 110, got 1");
    time.advanceTimeBy(Duration.ofSeconds(1)); // the hold
    takeBlock(generator, 111);
  }

  @Test
  void explicitValuesThatDoNotRiseAreRefused() {
    store.answers.add(size -> Mono.just(SequenceBlock.ofValues(1, 2, 3, 4, 5, 5, 7, 8, 9, 10)));
    expectRefused(builder().build(), SequenceRegressionException.class, "more than 5, got 5");
  }

  @Test
  void anUnorderedStoreMayMoveBack() {
    store.ordered = false;
    SequenceGenerator generator = builder().build();
    takeBlock(generator, 101);
    takeBlock(generator, 1);
    store.answers.add(size -> Mono.just(SequenceBlock.ofValues(9, 7, 5, 3, 1, -1, -3, -5, -7, -9)));
    generator.next(10).subscribe(seen::addAll);
    assertThat(seen).endsWith(9L, 7L, 5L, 3L, 1L, -1L, -3L, -5L, -7L, -9L);
  }

  @Test
  void aBlockThatComesAfterTheTimeoutIsAGap() {
    TestPublisher<SequenceBlock> late =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    store.answers.add(size -> late.mono());
    store.answers.add(size -> Mono.just(SequenceBlock.of(11, size)));
    SequenceGenerator generator = builder().reservationTimeout(Duration.ofSeconds(1)).build();
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(2));
    late.assertCancelled().next(SequenceBlock.of(1, 10));
    generator.next(9).subscribe(seen::addAll, errors::add);
    assertThat(seen).containsExactly(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
    assertThat(generator.snapshot().discarded()).isEqualTo(10);
    assertThat(generator.snapshot().issued()).isEqualTo(10);
  }

  @Test
  void aBlockAtTheEndOfTheRangeIsIssuedUpToMaxValueAndThenTheSequenceIsExhausted() {
    SequenceGenerator generator = builder().maxValue(104).build();
    store.answers.add(size -> Mono.just(SequenceBlock.of(101, size)));
    store.answers.add(size -> Mono.just(SequenceBlock.of(111, size)));
    generator.values().take(5).subscribe(seen::add, errors::add);
    assertThat(seen).containsExactly(101L, 102L, 103L, 104L);
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .isInstanceOf(SequenceExhaustedException.class)
        .hasMessageContaining("111")
        .hasMessageContaining("104");
    assertThat(generator.snapshot().discarded()).isEqualTo(6 + 10);
  }

  @Test
  void valuesUpToTheLargestLongAreIssuedWithoutWrapping() {
    SequenceGenerator generator = builder().build();
    store.answers.add(size -> Mono.just(SequenceBlock.of(Long.MAX_VALUE - 9, size)));
    generator.next(10).subscribe(seen::addAll, errors::add);
    assertThat(seen).hasSize(10).isSorted().endsWith(Long.MAX_VALUE);
    store.answers.add(size -> Mono.just(SequenceBlock.of(Long.MIN_VALUE, size)));
    expectRefused(generator, SequenceRegressionException.class, "got " + Long.MIN_VALUE);
  }

  private void takeBlock(SequenceGenerator generator, long first) {
    store.answers.add(size -> Mono.just(SequenceBlock.of(first, size)));
    generator.next(10).subscribe(seen::addAll, errors::add);
    time.advanceTimeBy(Duration.ofMillis(10));
    assertThat(seen).endsWith(first + 9);
  }

  private void expectRefused(
      SequenceGenerator generator, Class<? extends SequenceException> type, String message) {
    int before = errors.size();
    int issued = seen.size();
    long discarded = generator.snapshot().discarded();
    long reserved = store.reserved;
    generator.next().subscribe(seen::add, errors::add);
    assertThat(errors).hasSize(before + 1);
    assertThat(errors.get(before)).isInstanceOf(type).hasMessageContaining(message);
    assertThat(seen).hasSize(issued);
    assertThat(generator.snapshot().buffered()).isZero();
    long refused = store.reserved - reserved;
    assertThat(generator.snapshot().discarded()).isEqualTo(discarded + refused);
    assertThat(generator.snapshot().issued() + generator.snapshot().discarded())
        .isEqualTo(store.reserved);
  }

  @Test
  void aSecondBlockIsAGap() {
    store.answers.add(
        size ->
            signalling(
                actual -> {
                  actual.onNext(SequenceBlock.of(1, size));
                  actual.onNext(SequenceBlock.of(1 + size, size));
                  actual.onComplete();
                }));
    SequenceGenerator generator = builder().build();
    generator.next(10).subscribe(seen::addAll, errors::add);
    assertThat(seen).hasSize(10).endsWith(10L);
    assertThat(generator.snapshot().discarded()).isEqualTo(10);
  }

  static Stream<Supplier<Mono<Boolean>>> releases() {
    return Stream.of(
        () -> {
          throw new IllegalStateException("on purpose");
        },
        () -> Mono.error(new IllegalStateException("on purpose")),
        Mono::empty,
        Mono::never);
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aReleaseThatComesToNothingIsAGapAndTheShutdownEnds(Supplier<Mono<Boolean>> release) {
    store.release = release;
    List<Boolean> ended = new ArrayList<>();
    disposeAfterOne(ended);
    assertThat(ended).containsExactly(true);
    assertThat(discarded).hasValue(9);
    assertThat(released).hasValue(0);
  }

  @Test
  void aReleaseThatEmitsTwiceCountsOnce() {
    store.release =
        () ->
            signalling(
                actual -> {
                  actual.onNext(true);
                  actual.onNext(false);
                  actual.onComplete();
                });
    List<Boolean> ended = new ArrayList<>();
    disposeAfterOne(ended);
    assertThat(ended).containsExactly(true);
    assertThat(released).hasValue(9);
    assertThat(discarded).hasValue(0);
  }

  private void disposeAfterOne(List<Boolean> ended) {
    store.answers.add(size -> Mono.just(SequenceBlock.of(1, size)));
    SequenceMetricsRecorder recorder =
        new SequenceMetricsRecorder() {
          @Override
          public void discarded(String sequence, long count) {
            discarded.addAndGet(count);
          }

          @Override
          public void released(String sequence, long count) {
            released.addAndGet(count);
          }
        };
    SequenceGenerator generator = builder().metrics(recorder).build();
    generator.next().subscribe(seen::add);
    generator.disposeLater().subscribe(nothing -> {}, errors::add, () -> ended.add(true));
    assertThatCode(() -> time.advanceTimeBy(Duration.ofSeconds(11))).doesNotThrowAnyException();
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
  }

  /** A source that signals what it likes once it is subscribed to. */
  private static <T> Mono<T> signalling(Consumer<CoreSubscriber<? super T>> signals) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        actual.onSubscribe(Operators.emptySubscription());
        signals.accept(actual);
      }
    };
  }

  /** Answers each reservation with the next of a list, whatever that does. */
  private static final class ScriptedStore extends DelegatingSequenceStore {

    final Deque<LongFunction<Mono<SequenceBlock>>> answers = new ArrayDeque<>();
    boolean ordered = true;

    /** Of all blocks, whatever became of them. */
    long reserved;

    /** Null if the store is not releasable. */
    @Nullable Supplier<Mono<Boolean>> release;

    ScriptedStore() {
      super(InMemorySequenceStore.withSequence("s", 1));
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return answers.remove().apply(request.size()).doOnNext(block -> reserved += block.size());
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return Objects.requireNonNull(release).get();
    }

    @Override
    public boolean isOrdered() {
      return ordered;
    }

    @Override
    public boolean isReleasable() {
      return release != null;
    }
  }
}
