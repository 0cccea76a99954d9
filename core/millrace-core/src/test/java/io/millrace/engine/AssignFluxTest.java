package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.Sequence.Assigner;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceWaiterLimitException;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.subscriber.TestSubscriber;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignFluxTest {

  private final TestPublisher<String> source = TestPublisher.create();
  private final List<Long> requests = new ArrayList<>();
  private final List<Object> discarded = new ArrayList<>();

  /** Has values once the store is told to answer. */
  private final HeldStore held = new HeldStore();

  private final SequenceGenerator late =
      SequenceGenerator.builder(held, "s")
          .blockSize(2)
          .lowWatermark(0)
          .maxWaiters(2)
          .scheduler(new InlineScheduler())
          .build();

  /** Has values at once. */
  private final SequenceGenerator ready =
      SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
          .scheduler(new InlineScheduler())
          .build();

  private static String join(Object element, long value) {
    return element + "=" + value;
  }

  private Flux<String> assigned(SequenceGenerator generator) {
    return source
        .flux()
        .doOnRequest(requests::add)
        .transform(generator.<String, String>assign(AssignFluxTest::join))
        .doOnDiscard(String.class, discarded::add);
  }

  private static <T> TestSubscriber<T> subscribe(Flux<T> flux, long request) {
    TestSubscriber<T> subscriber = TestSubscriber.builder().initialRequest(request).build();
    flux.subscribe(subscriber);
    return subscriber;
  }

  private static SequenceNotFoundException missing() {
    return new SequenceNotFoundException("s", "the store", "create it", null);
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  // Values.

  @Test
  void valuesAreTakenForTheElementsThatHaveArrivedOnly() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), Long.MAX_VALUE);
    assertThat(held.isHeld()).isFalse();

    source.next("a", "b", "c");
    assertThat(late.snapshot().unmetDemand()).isEqualTo(1);
    assertThat(late.snapshot().waiters()).isEqualTo(1);
    held.answer();
    held.answer();

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2", "c=3");
    assertThat(late.snapshot().issued()).isEqualTo(3);
    assertThat(late.snapshot().waiters()).isZero();
    assertThat(held.isHeld()).isFalse();
  }

  @Test
  void anEmptySourceUsesNoGenerator() {
    SequenceGenerators generators = SequenceGenerators.builder(held).anyName().build();

    StepVerifier.create(assigned(generators.get("s"))).then(source::complete).verifyComplete();

    assertThat(generators.snapshots()).isEmpty();
  }

  @Test
  void aStreamGoesOnWhenItsGeneratorByNameIsEvicted() {
    SequenceGenerators generators =
        SequenceGenerators.builder(InMemorySequenceStore.withSequence("s", 1))
            .anyName()
            .maxGenerators(1)
            .defaults(options -> options.createMissing(1).scheduler(new InlineScheduler()))
            .build();
    TestSubscriber<String> subscriber = subscribe(assigned(generators.get("s")), Long.MAX_VALUE);
    for (int i = 1; i <= 3; i++) {
      source.next("a");
      assertThat(generators.get("other" + i).next().block()).isEqualTo(1);
    }
    source.complete();

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "a=2", "a=3");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
  }

  @Test
  void onlyTheFirstValueIsRefusedForAFullLine() {
    TestSubscriber<String> served = subscribe(assigned(late), Long.MAX_VALUE);
    source.next("a");
    held.answer();
    late.next(2).subscribe();
    late.next(2).subscribe(); // takes the last place
    source.next("b");

    TestPublisher<String> other = TestPublisher.create();
    TestSubscriber<String> refused =
        subscribe(
            other.flux().transform(late.<String, String>assign(AssignFluxTest::join)),
            Long.MAX_VALUE);
    other.next("c");
    assertThat(refused.expectTerminalError()).isInstanceOf(SequenceWaiterLimitException.class);
    other.assertCancelled();

    held.answer();
    held.answer();
    assertThat(served.getReceivedOnNext()).hasSize(2);
  }

  // Demand.

  @Test
  void theSourceIsAskedForWhatTheSubscriberRequests() {
    TestSubscriber<String> subscriber = subscribe(assigned(ready), 0);
    assertThat(requests).isEmpty();

    subscriber.request(3);
    subscriber.request(2);

    assertThat(requests).containsExactly(3L, 2L);
  }

  @Test
  void largeDemandIsPassedOnInPartsAsElementsAreEmitted() {
    subscribe(assigned(ready), 1_000);
    assertThat(requests).containsExactly(256L);

    for (int i = 0; i < 191; i++) {
      source.next("x");
    }
    assertThat(requests).containsExactly(256L);
    source.next("x");
    assertThat(requests).containsExactly(256L, 192L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 255, 256, 257, 300, 511, 1_000})
  void elementsAndValuesAreTakenForExactlyTheDemand(int demand) {
    TestSubscriber<Long> subscriber =
        subscribe(
            Flux.range(1, 10_000)
                .doOnRequest(requests::add)
                .transform(ready.<Integer, Long>assign((element, value) -> value - element)),
            demand);

    assertThat(subscriber.getReceivedOnNext()).hasSize(demand).containsOnly(0L);
    assertThat(requests.stream().mapToLong(Long::longValue).sum()).isEqualTo(demand);
    assertThat(ready.snapshot().issued()).isEqualTo(demand);
  }

  // The end.

  @Test
  void completionFollowsTheElementsThatWait() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), Long.MAX_VALUE);
    source.next("a", "b");

    source.complete();
    assertThat(subscriber.isTerminated()).isFalse();
    held.answer();

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    source.assertNotCancelled();
  }

  @Test
  void anErrorOfTheSourceFollowsTheElementsBeforeIt() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), Long.MAX_VALUE);
    source.next("a", "b");
    source.error(new IllegalStateException("boom"));
    assertThat(subscriber.isTerminated()).isFalse();

    held.answer();

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(subscriber.expectTerminalError()).hasMessage("boom");
  }

  @Test
  void anErrorOfTheStoreDiscardsTheElementsWithoutAValue() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), Long.MAX_VALUE);
    source.next("a");
    held.answer();
    source.next("b", "c", "d");

    held.fail(missing());

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
    assertThat(subscriber.expectTerminalError()).isInstanceOf(SequenceNotFoundException.class);
    assertThat(discarded).containsExactly("c", "d");
    source.assertCancelled();
  }

  @Test
  void anErrorOfTheSourceBehindAnErrorOfTheStoreIsDropped() {
    StepVerifier.create(assigned(late))
        .then(() -> source.next("a").error(new IllegalStateException("boom")))
        .then(() -> held.fail(missing()))
        .expectError(SequenceNotFoundException.class)
        .verifyThenAssertThat()
        .hasDroppedErrorWithMessage("boom");
  }

  @Test
  void anElementAfterTheDisposalFailsTheStream() {
    SequenceGenerators generators = SequenceGenerators.builder(held).anyName().build();
    TestSubscriber<String> subscriber = subscribe(assigned(generators.get("s")), Long.MAX_VALUE);
    generators.dispose();

    source.next("a");

    assertThat(subscriber.expectTerminalError()).isInstanceOf(SequenceDisposedException.class);
    source.assertCancelled();
    assertThat(discarded).containsExactly("a");
  }

  @Test
  void anAssignerThatThrowsFailsItsOwnStreamOnly() {
    TestSubscriber<Long> other =
        subscribe(
            Flux.just(1, 2).transform(late.<Integer, Long>assign((element, value) -> value)), 2);
    StepVerifier.create(
            source
                .flux()
                .transform(
                    late.<String, String>assign(
                        (element, value) -> {
                          if (element.equals("b")) {
                            throw new IllegalStateException("no " + element);
                          }
                          return join(element, value);
                        }))
                .doOnDiscard(String.class, discarded::add))
        .then(() -> source.next("a", "b", "c"))
        .then(held::answer)
        .then(held::answer)
        .expectNext("a=3")
        .expectErrorMessage("no b")
        .verifyThenAssertThat()
        .hasOperatorErrors(1);

    source.assertCancelled();
    assertThat(discarded).containsExactly("b", "c");
    assertThat(other.getReceivedOnNext()).containsExactly(1L, 2L);
    TestSubscriber<Long> next = subscribe(late.next().flux(), 1);
    held.answer();
    assertThat(next.getReceivedOnNext()).containsExactly(5L);
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void anAssignerThatReturnsNullFailsTheStream() {
    Assigner<String, String> nothing = (element, value) -> null;

    StepVerifier.create(Flux.just("a").transform(ready.assign(nothing)))
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("assigner returned null"));
  }

  // Cancellation.

  @Test
  void aCancelLeavesTheLineAndDiscardsTheElementsThatWait() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), Long.MAX_VALUE);
    source.next("a", "b", "c");

    subscriber.cancel();

    source.assertCancelled();
    assertThat(late.snapshot().waiters()).isZero();
    assertThat(discarded).containsExactly("a", "b", "c");
    held.answer();
    assertThat(subscriber.getReceivedOnNext()).isEmpty();
    assertThat(late.snapshot().issued()).isZero();
  }

  @Test
  void aCancelFromWithinAnElementEmitsNoOther() {
    StepVerifier.create(
            Flux.just("a", "b", "c", "d")
                .transform(ready.<String, String>assign(AssignFluxTest::join))
                .doOnDiscard(String.class, discarded::add)
                .takeUntil("b=2"::equals))
        .expectNext("a=1", "b=2")
        .verifyComplete();
    assertThat(discarded).containsExactly("c", "d");
    assertThat(ready.snapshot().issued()).isEqualTo(2);
  }

  @Test
  void discardsOrDropsSignalsAfterACancel() {
    List<String> dropped = new CopyOnWriteArrayList<>();
    Hooks.onErrorDropped(error -> dropped.add(String.valueOf(error.getMessage())));
    TestPublisher<String> stubborn =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    TestSubscriber<String> subscriber =
        subscribe(
            stubborn
                .flux()
                .transform(late.<String, String>assign(AssignFluxTest::join))
                .doOnDiscard(String.class, discarded::add),
            5);
    subscriber.cancel();
    subscriber.request(1);

    stubborn.next("late").error(new IllegalStateException("too late"));

    assertThat(discarded).containsExactly("late");
    assertThat(dropped).containsExactly("too late");
    assertThat(subscriber.isTerminated()).isFalse();
  }

  // Around it.

  @Test
  void theContextReachesTheSource() {
    StepVerifier.create(
            Flux.deferContextual(context -> Flux.just(context.<String>get("key")))
                .transform(ready.<String, String>assign(AssignFluxTest::join))
                .contextWrite(context -> context.put("key", "k")))
        .expectNext("k=1")
        .verifyComplete();
  }

  @Test
  void aSubscriptionCanBeScanned() {
    TestSubscriber<String> subscriber = subscribe(assigned(late), 5);
    source.next("a", "b");
    Scannable scanned = Scannable.from(Scannable.from(subscriber).scan(Scannable.Attr.PARENT));
    scanned = Scannable.from(scanned.scan(Scannable.Attr.PARENT)); // below doOnDiscard

    assertThat(scanned.scan(Scannable.Attr.BUFFERED)).isEqualTo(2);
    assertThat(scanned.scan(Scannable.Attr.RUN_STYLE)).isEqualTo(Scannable.Attr.RunStyle.ASYNC);
    assertThat(scanned.scan(Scannable.Attr.TERMINATED)).isFalse();
    assertThat(scanned.scan(Scannable.Attr.CANCELLED)).isFalse();
    assertThat(scanned.scan(Scannable.Attr.PARENT)).isNotNull();
    assertThat(scanned.scan(Scannable.Attr.ACTUAL)).isNotNull();
    subscriber.cancel();
    assertThat(scanned.scan(Scannable.Attr.CANCELLED)).isTrue();
  }
}
