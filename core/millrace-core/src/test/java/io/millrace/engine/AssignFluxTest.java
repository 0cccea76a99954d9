package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Sequence.Assigner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.subscriber.TestSubscriber;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignFluxTest {

  private final TestPublisher<String> source = TestPublisher.create();
  private final TestPublisher<Long> values = TestPublisher.create();
  private final List<Long> valueRequests = new ArrayList<>();
  private final List<Long> sourceRequests = new ArrayList<>();

  private static String join(Object element, Long value) {
    return element + "=" + value;
  }

  private static Flux<Long> counter() {
    return Flux.generate(
        () -> 1L,
        (Long next, SynchronousSink<Long> sink) -> {
          sink.next(next);
          return next + 1;
        });
  }

  private Flux<Long> recordedCounter() {
    return counter().doOnRequest(valueRequests::add);
  }

  private Flux<String> assigned() {
    return new AssignFlux<>(
        source.flux().doOnRequest(sourceRequests::add),
        values.flux().doOnRequest(valueRequests::add),
        AssignFluxTest::join);
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  private static <T> TestSubscriber<T> subscribe(Flux<T> flux, long request) {
    TestSubscriber<T> subscriber = TestSubscriber.builder().initialRequest(request).build();
    flux.subscribe(subscriber);
    return subscriber;
  }

  @Test
  void everyElementGetsAValueOfItsOwnInOrder() {
    StepVerifier.create(new AssignFlux<>(Flux.just("a", "b", "c"), counter(), AssignFluxTest::join))
        .expectNext("a=1", "b=2", "c=3")
        .verifyComplete();
  }

  @Test
  void elementsThatArriveInOneRequestShareOneRequestForValues() {
    StepVerifier.create(
            new AssignFlux<>(Flux.range(1, 1_000), recordedCounter(), AssignFluxTest::join))
        .expectNextCount(1_000)
        .verifyComplete();

    assertThat(valueRequests).containsExactly(256L, 256L, 256L, 232L);
  }

  @Test
  void elementsThatArriveBeforeTheValuesAreSubscribedToShareOneRequest() {
    TestPublisher<Long> late =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    AtomicReference<@Nullable Runnable> connect = new AtomicReference<>();
    Flux<Long> connectedLater =
        Flux.from(
            actual ->
                connect.set(() -> late.flux().doOnRequest(valueRequests::add).subscribe(actual)));
    TestSubscriber<String> subscriber =
        subscribe(new AssignFlux<>(source.flux(), connectedLater, AssignFluxTest::join), 10);

    source.next("a", "b", "c");
    assertThat(valueRequests).isEmpty();
    Objects.requireNonNull(connect.get()).run();

    assertThat(valueRequests).containsExactly(3L);
    late.next(1L, 2L, 3L);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2", "c=3");
  }

  @Test
  void noValueIsAskedForAnElementThatHasNotCome() {
    TestSubscriber<String> subscriber = subscribe(assigned(), Long.MAX_VALUE);

    values.assertWasNotSubscribed();
    source.next("a", "b");

    assertThat(valueRequests).containsExactly(1L, 1L);
    values.next(1L, 2L);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(valueRequests).hasSize(2);
  }

  @Test
  void anEmptySourceNeverSubscribesToTheValues() {
    StepVerifier.create(assigned()).then(source::complete).verifyComplete();

    values.assertWasNotSubscribed();
  }

  @Test
  void theValuesAreSubscribedToOncePerSubscriber() {
    AtomicInteger subscriptions = new AtomicInteger();
    Flux<String> flux =
        new AssignFlux<>(
            Flux.range(1, 600),
            counter().doOnSubscribe(s -> subscriptions.incrementAndGet()),
            AssignFluxTest::join);

    StepVerifier.create(flux, 1)
        .expectNextCount(1)
        .thenRequest(599)
        .expectNextCount(599)
        .verifyComplete();
    assertThat(subscriptions).hasValue(1);
    StepVerifier.create(flux).expectNextCount(600).verifyComplete();
    assertThat(subscriptions).hasValue(2);
  }

  @Test
  void nothingIsAskedOfTheSourceBeforeThereIsDemand() {
    TestSubscriber<String> subscriber = subscribe(assigned(), 0);
    assertThat(sourceRequests).isEmpty();

    subscriber.request(3);
    subscriber.request(2);

    assertThat(sourceRequests).containsExactly(3L, 2L);
  }

  @Test
  void largeDemandIsPassedOnInPartsAsElementsAreEmitted() {
    TestSubscriber<String> subscriber = subscribe(assigned(), 1_000);
    assertThat(sourceRequests).containsExactly(256L);

    for (int i = 0; i < 191; i++) {
      source.next("x");
      values.next((long) i);
    }
    assertThat(sourceRequests).containsExactly(256L);
    source.next("x");
    assertThat(sourceRequests).containsExactly(256L);
    values.next(191L);

    assertThat(sourceRequests).containsExactly(256L, 192L);
    assertThat(subscriber.getReceivedOnNext()).hasSize(192);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 255, 256, 257, 300, 511, 1_000})
  void theSourceIsAskedForExactlyTheDemandInTheEnd(int demand) {
    TestSubscriber<String> subscriber =
        subscribe(
            new AssignFlux<>(
                Flux.range(1, 10_000).doOnRequest(sourceRequests::add),
                recordedCounter(),
                AssignFluxTest::join),
            demand);

    assertThat(subscriber.getReceivedOnNext()).hasSize(demand);
    assertThat(sourceRequests.stream().mapToLong(Long::longValue).sum()).isEqualTo(demand);
    assertThat(valueRequests.stream().mapToLong(Long::longValue).sum()).isEqualTo(demand);
  }

  @Test
  void completionFollowsTheElementsThatStillWait() {
    TestSubscriber<String> subscriber = subscribe(assigned(), Long.MAX_VALUE);
    source.next("a", "b");
    values.next(1L);

    source.complete();
    assertThat(subscriber.isTerminated()).isFalse();
    values.assertNotCancelled();
    values.next(2L);

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    values.assertCancelled();
  }

  @Test
  void completionWithNothingWaitingCancelsTheValues() {
    TestSubscriber<String> subscriber = subscribe(assigned(), Long.MAX_VALUE);
    source.next("a");
    values.next(1L);

    source.complete();

    assertThat(subscriber.isTerminatedComplete()).isTrue();
    values.assertCancelled();
    source.assertNotCancelled();
  }

  @Test
  void anErrorOfTheSourceFollowsTheElementsBeforeIt() {
    TestSubscriber<String> subscriber = subscribe(assigned(), Long.MAX_VALUE);
    source.next("a", "b");
    source.error(new IllegalStateException("boom"));
    assertThat(subscriber.isTerminated()).isFalse();

    values.next(1L, 2L);

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(subscriber.expectTerminalError()).hasMessage("boom");
    values.assertCancelled();
  }

  @Test
  void anErrorOfTheValuesEndsAtOnceAndDiscardsTheElementsWithoutOne() {
    List<Object> discarded = new ArrayList<>();
    TestSubscriber<String> subscriber =
        subscribe(assigned().doOnDiscard(String.class, discarded::add), Long.MAX_VALUE);
    source.next("a", "b", "c");
    values.next(1L);

    values.error(new IllegalStateException("no more"));

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1");
    assertThat(subscriber.expectTerminalError()).hasMessage("no more");
    assertThat(discarded).containsExactly("b", "c");
    source.assertCancelled();
  }

  @Test
  void anErrorOfTheValuesEndsAtOnceThoughNoElementWaits() {
    TestSubscriber<String> subscriber = subscribe(assigned(), Long.MAX_VALUE);
    source.next("a");
    values.next(1L);

    values.error(new IllegalStateException("no more"));

    assertThat(subscriber.expectTerminalError()).hasMessage("no more");
    source.assertCancelled();
  }

  @Test
  void valuesThatCompleteBeforeTheElementsAreAnError() {
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            new AssignFlux<>(Flux.just("a", "b", "c"), Flux.just(1L, 2L), AssignFluxTest::join)
                .doOnDiscard(String.class, discarded::add))
        .expectNext("a=1", "b=2")
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("values completed"));
    assertThat(discarded).containsExactly("c");
  }

  @Test
  void exactlyAsManyValuesAsElementsAreEnough() {
    StepVerifier.create(
            new AssignFlux<>(Flux.just("a", "b"), Flux.just(1L, 2L), AssignFluxTest::join))
        .expectNext("a=1", "b=2")
        .verifyComplete();
  }

  @Test
  void anElementThatTheSubscriberThrewAtIsNotDiscarded() {
    List<Object> discarded = new ArrayList<>();
    assigned()
        .doOnDiscard(String.class, discarded::add)
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnNext(String assigned) {
                throw new IllegalStateException("on purpose");
              }

              @Override
              protected void hookOnError(Throwable error) {}
            });
    source.next("a", "b");
    values.next(1L);
    assertThat(discarded).containsExactly("b");
  }

  @Test
  void anAssignerThatThrowsEndsTheSequenceAndCancelsBoth() {
    List<Object> discarded = new ArrayList<>();
    Flux<String> flux =
        new AssignFlux<String, String>(
                source.flux(),
                values.flux(),
                (element, value) -> {
                  if (value == 2) {
                    throw new IllegalStateException("no " + element);
                  }
                  return join(element, value);
                })
            .doOnDiscard(String.class, discarded::add);
    StepVerifier.create(flux)
        .then(() -> source.next("a", "b", "c"))
        .then(() -> values.next(1L, 2L))
        .expectNext("a=1")
        .expectErrorMessage("no b")
        .verify();

    source.assertCancelled();
    values.assertCancelled();
    assertThat(discarded).containsExactly("b", "c");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void anAssignerThatReturnsNullEndsTheSequence() {
    Assigner<String, String> nothing = (element, value) -> null;

    StepVerifier.create(new AssignFlux<>(Flux.just("a"), counter(), nothing))
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("assigner returned null"));
  }

  @Test
  void cancellationReachesBothAndDiscardsWhatWaits() {
    List<Object> discarded = new ArrayList<>();
    TestSubscriber<String> subscriber =
        subscribe(assigned().doOnDiscard(String.class, discarded::add), Long.MAX_VALUE);
    source.next("a", "b", "c");
    values.next(1L);

    subscriber.cancel();

    source.assertCancelled();
    values.assertCancelled();
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1");
    assertThat(discarded).containsExactly("b", "c");
  }

  @Test
  void cancellationFromWithinAnElementStopsTheRun() {
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            new AssignFlux<>(Flux.just("a", "b", "c", "d"), counter(), AssignFluxTest::join)
                .doOnDiscard(String.class, discarded::add)
                .take(2))
        .expectNext("a=1", "b=2")
        .verifyComplete();
    StepVerifier.create(
            new AssignFlux<>(Flux.just("a", "b", "c", "d"), counter(), AssignFluxTest::join)
                .doOnDiscard(String.class, discarded::add)
                .takeUntil("b=2"::equals))
        .expectNext("a=1", "b=2")
        .verifyComplete();
    assertThat(discarded).containsExactly("c", "d");
  }

  @Test
  void anElementThatComesAfterCancellationIsDiscarded() {
    List<Object> discarded = new ArrayList<>();
    TestPublisher<String> stubborn =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    TestSubscriber<String> subscriber =
        subscribe(
            new AssignFlux<>(stubborn.flux(), values.flux(), AssignFluxTest::join)
                .doOnDiscard(String.class, discarded::add),
            10);
    subscriber.cancel();

    stubborn.next("late");

    assertThat(discarded).containsExactly("late");
  }

  @Test
  void errorsThatComeAfterCancellationAreDropped() {
    TestPublisher<String> stubborn =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    TestPublisher<Long> stubbornValues =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    List<String> dropped = new CopyOnWriteArrayList<>();
    Hooks.onErrorDropped(error -> dropped.add(String.valueOf(error.getMessage())));

    TestSubscriber<String> subscriber =
        subscribe(
            new AssignFlux<>(stubborn.flux(), stubbornValues.flux(), AssignFluxTest::join), 5);
    stubborn.next("a");
    subscriber.cancel();
    stubbornValues.error(new IllegalStateException("late values"));
    stubborn.error(new IllegalStateException("late source"));

    assertThat(dropped).containsExactly("late values", "late source");
    assertThat(subscriber.isTerminated()).isFalse();
  }

  @Test
  void anErrorOfTheSourceBehindAnErrorOfTheValuesIsDropped() {
    StepVerifier.create(assigned())
        .then(() -> source.next("a"))
        .then(() -> source.error(new IllegalStateException("source")))
        .then(() -> values.error(new IllegalStateException("values")))
        .expectErrorMessage("values")
        .verifyThenAssertThat()
        .hasDroppedErrorWithMessage("source");
  }

  @Test
  void signalsAfterTheEndOfTheSourceAreDropped() {
    TestPublisher<String> unruly =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);

    StepVerifier.create(new AssignFlux<>(unruly.flux(), values.flux(), AssignFluxTest::join))
        .then(() -> unruly.next("a").complete())
        .then(() -> unruly.next("b").error(new IllegalStateException("late")))
        .then(() -> values.next(1L))
        .expectNext("a=1")
        .expectComplete()
        .verifyThenAssertThat()
        .hasDropped("b")
        .hasDroppedErrorWithMessage("late");
  }

  @Test
  void theErrorOfAnAssignerPassesTheHookForOperatorErrors() {
    StepVerifier.create(
            new AssignFlux<String, String>(
                Flux.just("a"),
                counter(),
                (element, value) -> {
                  throw new IllegalStateException("no " + element);
                }))
        .expectErrorMessage("no a")
        .verifyThenAssertThat()
        .hasOperatorErrors(1);
  }

  @Test
  void aSourceThatIgnoresDemandIsAnErrorBehindWhatItSentBefore() {
    TestPublisher<Integer> flood =
        TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
    List<Object> discarded = new ArrayList<>();
    TestSubscriber<String> subscriber =
        subscribe(
            new AssignFlux<>(flood.flux(), values.flux(), AssignFluxTest::join)
                .doOnDiscard(Integer.class, discarded::add),
            Long.MAX_VALUE);

    for (int i = 0; i <= AssignFlux.PREFETCH; i++) {
      flood.next(i);
    }
    assertThat(discarded).containsExactly(AssignFlux.PREFETCH);
    flood.assertCancelled();
    assertThat(subscriber.isTerminated()).isFalse();
    for (long i = 0; i < AssignFlux.PREFETCH; i++) {
      values.next(i);
    }

    assertThat(subscriber.getReceivedOnNext()).hasSize(AssignFlux.PREFETCH);
    assertThat(subscriber.expectTerminalError()).hasMessageContaining("not requested");
  }

  @Test
  void moreElementsThanTheDemandWaitForIt() {
    TestPublisher<String> eager =
        TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
    TestSubscriber<String> subscriber =
        subscribe(new AssignFlux<>(eager.flux(), counter(), AssignFluxTest::join), 1);

    eager.next("a", "b");
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1");

    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
  }

  @Test
  void valuesThatIgnoreDemandAreAnError() {
    TestPublisher<Long> flood =
        TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
    TestSubscriber<String> subscriber =
        subscribe(
            new AssignFlux<>(source.flux(), flood.flux(), AssignFluxTest::join), Long.MAX_VALUE);
    source.next("a");

    for (long i = 0; i < AssignFlux.PREFETCH + 2 && !subscriber.isTerminated(); i++) {
      flood.next(i);
    }
    for (int i = 0; i < AssignFlux.PREFETCH && !subscriber.isTerminated(); i++) {
      source.next("b");
    }

    assertThat(subscriber.expectTerminalError()).hasMessageContaining("not requested");
  }

  @Test
  void theContextReachesTheSourceAndTheValues() {
    StepVerifier.create(
            new AssignFlux<String, String>(
                    Flux.deferContextual(context -> Flux.just("a-" + context.get("key"))),
                    Flux.deferContextual(context -> Flux.just(context.<Long>get("value"))),
                    AssignFluxTest::join)
                .contextWrite(context -> context.put("key", "k").put("value", 7L)))
        .expectNext("a-k=7")
        .verifyComplete();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, Long.MAX_VALUE})
  void aMillionElementsFitOnASmallStack(long demand) throws InterruptedException {
    AtomicInteger count = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () ->
                new AssignFlux<>(Flux.range(1, 1_000_000), counter(), (e, v) -> v)
                    .subscribe(new InSteps(demand, count)),
            "small-stack",
            256 * 1024);
    thread.setUncaughtExceptionHandler((t, error) -> failure.set(error));
    thread.start();
    thread.join();

    assertThat(failure.get()).isNull();
    assertThat(count).hasValue(1_000_000);
  }

  /** Asks for more from within the last element of each step. */
  private static final class InSteps extends BaseSubscriber<Long> {

    private final long step;
    private final AtomicInteger count;

    InSteps(long step, AtomicInteger count) {
      this.step = step;
      this.count = count;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(step);
    }

    @Override
    protected void hookOnNext(Long value) {
      if (count.incrementAndGet() % step == 0) {
        request(step);
      }
    }
  }

  @Test
  void valuesFromOtherThreadsKeepTheOrder() {
    StepVerifier.create(
            new AssignFlux<>(
                    Flux.range(1, 20_000).publishOn(Schedulers.parallel()),
                    counter()
                        .subscribeOn(Schedulers.boundedElastic())
                        .publishOn(Schedulers.parallel(), 8),
                    (element, value) -> value - element)
                .distinct())
        .expectNext(0L)
        .verifyComplete();
  }

  @Test
  void refusedDemandIsAnErrorAndCancelsBoth() {
    List<Throwable> errors = new ArrayList<>();
    assigned()
        .subscribe(
            new Subscriber<String>() {
              @Override
              public void onSubscribe(Subscription subscription) {
                subscription.request(0);
              }

              @Override
              public void onNext(String element) {}

              @Override
              public void onError(Throwable error) {
                errors.add(error);
              }

              @Override
              public void onComplete() {}
            });

    assertThat(errors).singleElement().isInstanceOf(IllegalArgumentException.class);
    source.assertCancelled();
  }

  @Test
  void everyPartCanBeScanned() {
    Flux<String> flux = assigned();
    TestSubscriber<String> subscriber = subscribe(flux, 5);
    source.next("a", "b");
    Scannable main = Scannable.from(Scannable.from(subscriber).scan(Scannable.Attr.PARENT));

    assertThat(Scannable.from(flux).scan(Scannable.Attr.PREFETCH)).isEqualTo(256);
    assertThat(Scannable.from(flux).scan(Scannable.Attr.RUN_STYLE))
        .isEqualTo(Scannable.Attr.RunStyle.SYNC);
    assertThat(main.scan(Scannable.Attr.BUFFERED)).isEqualTo(2);
    assertThat(main.scan(Scannable.Attr.PREFETCH)).isEqualTo(256);
    assertThat(main.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(5);
    assertThat(main.scan(Scannable.Attr.RUN_STYLE)).isEqualTo(Scannable.Attr.RunStyle.SYNC);
    assertThat(main.scan(Scannable.Attr.TERMINATED)).isFalse();
    assertThat(main.scan(Scannable.Attr.CANCELLED)).isFalse();
    assertThat(main.scan(Scannable.Attr.PARENT)).isNotNull();
    assertThat(main.scan(Scannable.Attr.ACTUAL)).isNotNull();
    Stream<? extends Scannable> inners = main.inners();
    assertThat(inners)
        .singleElement()
        .satisfies(
            inner -> {
              assertThat(inner.scan(Scannable.Attr.ACTUAL)).isSameAs(main);
              assertThat(inner.scan(Scannable.Attr.BUFFERED)).isZero();
              assertThat(inner.scan(Scannable.Attr.CANCELLED)).isFalse();
              assertThat(inner.scan(Scannable.Attr.TERMINATED)).isFalse();
              assertThat(inner.scan(Scannable.Attr.PARENT)).isNotNull();
              assertThat(inner.scan(Scannable.Attr.RUN_STYLE))
                  .isEqualTo(Scannable.Attr.RunStyle.SYNC);
              assertThat(inner.scanUnsafe(Scannable.Attr.ERROR)).isNull();
            });

    source.error(new IllegalStateException("boom"));
    assertThat(main.scan(Scannable.Attr.ERROR)).hasMessage("boom");
    subscriber.cancel();
    assertThat(main.scan(Scannable.Attr.CANCELLED)).isTrue();
    assertThat(main.inners())
        .allSatisfy(inner -> assertThat(inner.scan(Scannable.Attr.CANCELLED)).isTrue());
  }

  @Test
  void aMonoCanBeTheSource() {
    StepVerifier.create(new AssignFlux<>(Mono.just("a").flux(), counter(), AssignFluxTest::join))
        .expectNext("a=1")
        .verifyComplete();
  }
}
