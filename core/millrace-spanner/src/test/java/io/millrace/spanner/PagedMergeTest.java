package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spanner.PagedMerge.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.util.RaceTestUtils;

class PagedMergeTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long ALL = Long.MAX_VALUE;

  /** An element, equal in order to others with the same value. */
  private record Item(int value, int source, int position) {}

  private static final Comparator<Item> BY_VALUE = Comparator.comparingInt(Item::value);

  /** Sources in memory that count the requests to them. */
  private static final class Sources implements PagedMerge.Pages<Item> {

    final List<List<Item>> sources = new ArrayList<>();
    final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger given = new AtomicInteger();
    final AtomicInteger atOnce = new AtomicInteger();
    final AtomicInteger mostAtOnce = new AtomicInteger();

    static Sources random(int count, int longest, long seed) {
      Random random = new Random(seed);
      Sources made = new Sources();
      for (int source = 0; source < count; source++) {
        int[] values = random.ints(random.nextInt(longest + 1), 0, 50).sorted().toArray();
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
          items.add(new Item(values[i], source, i));
        }
        made.sources.add(items);
      }
      return made;
    }

    /** Every source has this many items, spread evenly over the same values. */
    static Sources even(int count, int each) {
      Sources made = new Sources();
      for (int source = 0; source < count; source++) {
        int index = source;
        made.sources.add(
            IntStream.range(0, each).mapToObj(i -> new Item(i * count + index, index, i)).toList());
      }
      return made;
    }

    List<Item> merged() {
      return sources.stream()
          .flatMap(List::stream)
          .sorted(BY_VALUE.thenComparing(Item::source).thenComparing(Item::position))
          .toList();
    }

    @Override
    public Mono<List<Item>> read(int source, @Nullable Item last, int size) {
      return Mono.fromCallable(
          () -> {
            sizes.add(size);
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            List<Item> all = sources.get(source);
            int from = last == null ? 0 : last.position() + 1;
            List<Item> page = all.subList(from, Math.min(all.size(), from + size));
            given.addAndGet(page.size());
            atOnce.decrementAndGet();
            return page;
          });
    }
  }

  private static Flux<Item> merge(PagedMerge.Pages<Item> pages, Bounds bounds) {
    return new PagedMerge<>(pages, BY_VALUE, bounds);
  }

  /** The order is asked while pages come and while elements go. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 35, 40})
  void anOrderThatThrowsLosesNoElement(int call) {
    Sources sources = Sources.even(4, 9);
    AtomicInteger calls = new AtomicInteger();
    Comparator<Item> order =
        (left, right) -> {
          if (calls.incrementAndGet() == call) {
            throw new IllegalStateException("on purpose");
          }
          return BY_VALUE.compare(left, right);
        };
    List<Item> emitted = new ArrayList<>();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            new PagedMerge<>(sources, order, new Bounds(4, 3, 4, ALL))
                .doOnNext(emitted::add)
                .doOnDiscard(Object.class, discarded::add))
        .thenConsumeWhile(item -> true)
        .verifyErrorMessage("on purpose");
    assertThat(emitted).isSortedAccordingTo(BY_VALUE);
    discarded.addAll(emitted);
    assertThat(discarded).hasSize(sources.given.get()).doesNotHaveDuplicates();
  }

  @Property
  void whatComesIsTheSortedUnionCutAtTheLimit(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(max = 40) int longest,
      @ForAll @IntRange(min = 1, max = 15) int pageSize,
      @ForAll @IntRange(min = 1, max = 4) int concurrency,
      @ForAll @LongRange(min = 1, max = 300) long limit,
      @ForAll long seed) {
    Sources sources = Sources.random(count, longest, seed);
    List<Item> expected = sources.merged().stream().limit(limit).toList();
    assertThat(
            merge(sources, new Bounds(count, pageSize, concurrency, limit))
                .collectList()
                .block(LIMIT))
        .isEqualTo(expected);
    assertThat(sources.sizes).allMatch(size -> size >= 1 && size <= Math.min(pageSize, limit));
  }

  @Property(tries = 200)
  void itIsTheSameWhenPagesComeFromOtherThreadsInAnyOrder(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 1, max = 15) int pageSize,
      @ForAll @IntRange(min = 1, max = 8) int concurrency,
      @ForAll @IntRange(min = 1, max = 20) int prefetch,
      @ForAll long seed) {
    Sources sources = Sources.random(count, 40, seed);
    PagedMerge.Pages<Item> elsewhere =
        (source, last, size) -> sources.read(source, last, size).subscribeOn(Schedulers.parallel());
    assertThat(
            merge(elsewhere, new Bounds(count, pageSize, concurrency, ALL))
                .publishOn(Schedulers.single(), prefetch)
                .collectList()
                .block(LIMIT))
        .isEqualTo(sources.merged());
    assertThat(sources.mostAtOnce).hasValueLessThanOrEqualTo(concurrency);
  }

  @Property
  void oneAndAHalfPagesOfEachSourceIsTheMostInMemory(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 1, max = 15) int pageSize,
      @ForAll @IntRange(min = 1, max = 4) int concurrency,
      @ForAll long seed) {
    Sources sources = Sources.random(count, 60, seed);
    AtomicInteger received = new AtomicInteger();
    List<Integer> held = new ArrayList<>();
    merge(sources, new Bounds(count, pageSize, concurrency, ALL))
        .subscribe(
            new BaseSubscriber<Item>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                request(1);
              }

              @Override
              protected void hookOnNext(Item item) {
                held.add(sources.given.get() - received.incrementAndGet());
                request(1);
              }
            });
    assertThat(held).hasSameSizeAs(sources.merged());
    assertThat(held).allMatch(elements -> elements <= count * (pageSize + pageSize / 2));
  }

  @Test
  void nothingIsReadBeforeTheFirstRequest() {
    Sources sources = Sources.even(3, 10);
    StepVerifier.create(merge(sources, new Bounds(3, 4, 2, ALL)), 0)
        .expectSubscription()
        .then(() -> assertThat(sources.sizes).isEmpty())
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(sources.sizes).containsExactly(4, 4, 4))
        .thenCancel()
        .verify();
  }

  @Test
  void aSourceIsReadAgainWhenHalfAPageIsLeft() {
    Sources sources = Sources.even(1, 100);
    StepVerifier.create(merge(sources, new Bounds(1, 10, 1, ALL)), 0)
        .thenRequest(4)
        .expectNextCount(4)
        .then(() -> assertThat(sources.sizes).hasSize(1))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(sources.sizes).hasSize(2))
        .thenCancel()
        .verify();
  }

  @Test
  void noPageAsksForMoreThanTheLimitLeaves() {
    Sources sources = Sources.even(2, 100);
    StepVerifier.create(merge(sources, new Bounds(2, 8, 2, 16)))
        .expectNextCount(16)
        .verifyComplete();
    assertThat(sources.sizes)
        .as("source 0 may have to give 9 more, and has 4; source 1 may have to give 8, and has 4")
        .containsExactly(8, 8, 5, 4);

    Sources few = Sources.even(5, 100);
    StepVerifier.create(merge(few, new Bounds(5, 50, 2, 3))).expectNextCount(3).verifyComplete();
    assertThat(few.sizes).containsExactly(3, 3, 3, 3, 3);
  }

  @Test
  void emptySourcesEndAStreamThatWasNotAskedForMore() {
    Sources sources = Sources.even(3, 1);
    StepVerifier.create(merge(sources, new Bounds(3, 5, 1, ALL)), 3)
        .expectNextCount(3)
        .verifyComplete();
    StepVerifier.create(merge(Sources.even(3, 0), new Bounds(3, 5, 1, ALL)), 1).verifyComplete();
  }

  /** Pages that arrive when the test delivers them. */
  private static final class ByHand implements PagedMerge.Pages<Item> {

    final List<Sinks.One<List<Item>>> pages = new ArrayList<>();
    final List<Integer> sources = new ArrayList<>();
    final List<Integer> cancelled = new ArrayList<>();
    final List<Object> contexts = new ArrayList<>();

    @Override
    public Mono<List<Item>> read(int source, @Nullable Item last, int size) {
      Sinks.One<List<Item>> page = Sinks.one();
      pages.add(page);
      sources.add(source);
      return Mono.deferContextual(
              context -> {
                contexts.add(context.getOrDefault("who", "nobody"));
                return page.asMono();
              })
          .doOnCancel(() -> cancelled.add(source));
    }

    void answer(int read, Item... items) {
      pages.get(read).tryEmitValue(List.of(items)).orThrow();
    }
  }

  @Test
  void anErrorOfOneSourceEndsTheOthersAndGivesBackWhatTheyHad() {
    ByHand pages = new ByHand();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            merge(pages, new Bounds(4, 2, 3, ALL)).doOnDiscard(Item.class, discarded::add))
        .then(() -> pages.answer(0, new Item(1, 0, 0), new Item(2, 0, 1)))
        .then(() -> assertThat(pages.sources).containsExactly(0, 1, 2, 3))
        .then(() -> pages.pages.get(1).tryEmitError(new IllegalStateException("gone")))
        .verifyErrorMessage("gone");
    assertThat(pages.cancelled).containsExactly(2, 3);
    assertThat(discarded).hasSize(2);
  }

  @Test
  void aCancelEndsTheReadsAndStartsNone() {
    ByHand pages = new ByHand();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            merge(pages, new Bounds(4, 2, 2, ALL)).doOnDiscard(Item.class, discarded::add))
        .then(() -> pages.answer(0, new Item(1, 0, 0), new Item(2, 0, 1)))
        .thenCancel()
        .verify();
    assertThat(pages.sources).containsExactly(0, 1, 2);
    assertThat(pages.cancelled).containsExactly(1, 2);
    assertThat(discarded).hasSize(2);
  }

  @Test
  void aSubscriberThatCancelsAmongElementsGetsNoneAfterIt() {
    List<Item> received = new ArrayList<>();
    merge(Sources.even(2, 10), new Bounds(2, 10, 2, ALL))
        .subscribe(
            new BaseSubscriber<Item>() {
              @Override
              protected void hookOnNext(Item item) {
                received.add(item);
                if (received.size() == 3) {
                  cancel();
                }
              }
            });
    assertThat(received).hasSize(3);
  }

  @Test
  void aPageThatComesAsTheSubscriberCancelsIsGivenBack() {
    ByHand pages = new ByHand();
    List<Object> discarded = new ArrayList<>();
    BaseSubscriber<Item> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnNext(Item item) {
            if (item.value() == 2) {
              pages.answer(1, items(0, 5, 6, 7, 8));
              cancel();
            }
          }
        };
    merge(pages, new Bounds(1, 4, 1, ALL))
        .doOnDiscard(Item.class, discarded::add)
        .subscribe(subscriber);
    pages.answer(0, items(0, 1, 2, 3, 4));
    assertThat(discarded).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPageWhoseReadHasNotEndedAtTheCancelIsGivenBack(boolean pageFirst) {
    TestPublisher<List<Item>> page =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    List<Object> discarded = new ArrayList<>();
    Disposable running =
        merge((source, last, size) -> Mono.fromDirect(page), new Bounds(1, 2, 1, ALL))
            .doOnDiscard(Item.class, discarded::add)
            .subscribe();
    List<Item> items = List.of(items(0, 1, 2));
    if (pageFirst) {
      page.next(items);
    }
    running.dispose();
    if (!pageFirst) {
      page.next(items);
    }
    page.complete();
    assertThat(discarded).isEqualTo(items);
  }

  /**
   * Pages, requests and the cancel come from threads of their own. In every other round the demand
   * ends before the elements do, so there are some to give back.
   */
  @Test
  void aCancelAtAnyMomentEmitsOrGivesBackEveryElementOnce() {
    for (int round = 0; round < 500; round++) {
      Sources sources = Sources.even(3, 40);
      AtomicInteger underWay = new AtomicInteger();
      Queue<Item> emitted = new ConcurrentLinkedQueue<>();
      Queue<Item> discarded = new ConcurrentLinkedQueue<>();
      Queue<Item> read = new ConcurrentLinkedQueue<>();
      PagedMerge.Pages<Item> elsewhere =
          (source, last, size) ->
              Mono.fromDirect(
                  subscriber -> {
                    underWay.incrementAndGet();
                    subscriber.onSubscribe(Operators.emptySubscription());
                    Schedulers.parallel()
                        .schedule(
                            () -> {
                              List<Item> page =
                                  Objects.requireNonNull(sources.read(source, last, size).block());
                              read.addAll(page);
                              subscriber.onNext(page);
                              subscriber.onComplete();
                              underWay.decrementAndGet();
                            });
                  });
      int leaveAt = round % 100;
      long demand = leaveAt % 2 == 0 ? ALL : leaveAt;
      BaseSubscriber<Item> subscriber =
          new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
              request(demand);
            }

            @Override
            protected void hookOnNext(Item item) {
              emitted.add(item);
            }
          };
      merge(elsewhere, new Bounds(3, 4, 2, ALL))
          .doOnDiscard(Item.class, discarded::add)
          .subscribe(subscriber);
      Awaitility.await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofNanos(50_000))
          .until(() -> emitted.size() >= leaveAt);
      RaceTestUtils.race(
          (int) LIMIT.toSeconds(),
          Schedulers.boundedElastic(),
          subscriber::cancel,
          () -> subscriber.request(7));
      Awaitility.await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofNanos(50_000))
          .until(() -> underWay.get() == 0);
      List<Item> ended = new ArrayList<>(emitted);
      ended.addAll(discarded);
      assertThat(ended).as("round %d", round).containsExactlyInAnyOrderElementsOf(read);
      if (demand != ALL) {
        assertThat(discarded).as("given back in round %d", round).isNotEmpty();
      }
    }
  }

  @Test
  void theLimitEndsReadsThatAreNotNeededAnyMore() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(2, 4, 2, 4)), 0)
        .thenRequest(10)
        .then(
            () -> {
              pages.answer(0, items(0, 1, 2, 3, 4));
              pages.answer(1, items(1, 0, 0, 0, 5));
            })
        .expectNextCount(4)
        .verifyComplete();
    assertThat(pages.sources).as("what is there was enough").containsExactly(0, 1);

    ByHand more = new ByHand();
    StepVerifier.create(merge(more, new Bounds(2, 4, 2, 8)), 0)
        .thenRequest(2)
        .then(
            () -> {
              more.answer(0, items(0, 1, 2, 3, 4));
              more.answer(1, items(1, 5, 6, 7, 8));
            })
        .expectNextCount(2)
        .then(() -> assertThat(more.sources).as("half of source 0 left").containsExactly(0, 1, 0))
        .thenRequest(2)
        .expectNextCount(2)
        .then(() -> more.answer(2, items(0, 9, 9, 9, 9)))
        .thenRequest(2)
        .expectNextCount(2)
        .thenRequest(2)
        .expectNextCount(2)
        .verifyComplete();
  }

  private static Item[] items(int source, int... values) {
    return IntStream.range(0, values.length)
        .mapToObj(i -> new Item(values[i], source, i))
        .toArray(Item[]::new);
  }

  @Test
  void theSourceThatHoldsTheStreamUpIsReadBeforeThoseThatOnlyRunLow() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(3, 4, 1, ALL)))
        .then(() -> pages.answer(0, items(0, 1, 2, 8, 9)))
        .then(() -> pages.answer(1, items(1, 3, 4, 8, 9)))
        .then(() -> pages.answer(2, items(2, 5, 6, 7, 7)))
        .expectNextCount(8)
        .then(() -> assertThat(pages.sources).as("0 ran low first").containsExactly(0, 1, 2, 0))
        .then(() -> pages.answer(3, items(0, 20, 21, 22, 23)))
        .then(() -> assertThat(pages.sources).as("2 is empty, 1 is low").endsWith(0, 2))
        .thenCancel()
        .verify();
  }

  @Test
  void sourcesThatRunLowAreReadInTheOrderInWhichTheyDid() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(3, 4, 1, ALL)), 7)
        .then(() -> pages.answer(0, items(0, 1, 2, 8, 9)))
        .then(() -> pages.answer(1, items(1, 3, 4, 8, 9)))
        .then(() -> pages.answer(2, items(2, 5, 6, 7, 8)))
        .expectNextCount(7)
        .then(() -> pages.answer(3, items(0, 20, 21, 22, 23)))
        .then(() -> assertThat(pages.sources).as("1 ran low before 2").endsWith(0, 1))
        .thenCancel()
        .verify();
  }

  @Test
  void theEndAtTheLimitCancelsReadsUnderWayAndGivesBackWhatIsLeft() {
    ByHand pages = new ByHand();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            merge(pages, new Bounds(2, 4, 2, 6)).doOnDiscard(Item.class, discarded::add))
        .then(() -> pages.answer(0, items(0, 1, 2, 3, 9)))
        .then(() -> pages.answer(1, items(1, 4, 5, 6, 7)))
        .expectNextCount(6)
        .verifyComplete();
    assertThat(pages.cancelled).containsExactly(0);
    assertThat(discarded).hasSize(2);
  }

  @Test
  void aSubscriberThatThrowsHasTheReadsCancelledAndItsElementsGivenBack() {
    ByHand pages = new ByHand();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            merge(pages, new Bounds(2, 2, 2, ALL))
                .doOnDiscard(Item.class, discarded::add)
                .doOnNext(
                    item -> {
                      throw new StackOverflowError("thrown by the test");
                    }))
        .then(() -> pages.answer(0, items(0, 1, 2)))
        .then(() -> pages.answer(1, items(1, 3, 4)))
        .verifyErrorSatisfies(
            failure -> assertThat(failure).rootCause().hasMessage("thrown by the test"));
    assertThat(pages.cancelled).as("half of source 0 was left").containsExactly(0);
    assertThat(discarded).hasSize(3);
  }

  @Test
  void thePagesSeeTheSubscribersContext() {
    ByHand pages = new ByHand();
    StepVerifier.create(
            merge(pages, new Bounds(2, 2, 2, ALL))
                .contextWrite(context -> context.put("who", "me")))
        .then(() -> pages.answer(0))
        .then(() -> pages.answer(1))
        .verifyComplete();
    assertThat(pages.contexts).containsExactly("me", "me");
  }

  @Test
  void anEmptyMonoIsAnEmptyPageAndAThrowIsAnError() {
    StepVerifier.create(merge((source, last, size) -> Mono.empty(), new Bounds(2, 2, 1, ALL)))
        .verifyComplete();
    StepVerifier.create(
            merge(
                (source, last, size) -> {
                  throw new IllegalStateException("no page");
                },
                new Bounds(2, 2, 1, ALL)))
        .verifyErrorMessage("no page");
  }

  @Test
  void aSubscriptionTellsHowMuchOfASourceItReadsAndWhatIsRequested() {
    AtomicReference<@Nullable Subscription> seen = new AtomicReference<>();
    StepVerifier.create(
            PagedMerge.assembled(new ByHand(), BY_VALUE, new Bounds(1, 7, 1, ALL))
                .doOnSubscribe(seen::set),
            3)
        .then(
            () -> {
              Scannable scanned = Scannable.from(seen.get());
              assertThat(scanned.scan(Scannable.Attr.PREFETCH)).isEqualTo(7);
              assertThat(scanned.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(3L);
              assertThat(scanned.scan(Scannable.Attr.CANCELLED)).isFalse();
            })
        .thenCancel()
        .verify();
    assertThat(Scannable.from(seen.get()).scan(Scannable.Attr.CANCELLED)).isTrue();
  }

  @Test
  void aMillionElementsFromPagesThatAreThereAtOnceNeedNoStack() {
    Sources sources = Sources.even(2, 500_000);
    assertThat(merge(sources, new Bounds(2, 1, 1, ALL)).count().block(LIMIT)).isEqualTo(1_000_000L);
  }

  /**
   * Throws at the n-th call of what a merge calls: pages, their subscription, order, subscriber.
   */
  private static final class Throwing implements PagedMerge.Pages<Item>, Comparator<Item> {

    final Sources sources = Sources.even(3, 4);
    final int throwAt;
    int calls;

    Throwing(int throwAt) {
      this.throwAt = throwAt;
    }

    void callOut() {
      if (++calls == throwAt) {
        throw new StackOverflowError("thrown by the test");
      }
    }

    @Override
    public Mono<List<Item>> read(int source, @Nullable Item last, int size) {
      callOut();
      return Mono.defer(
          () -> {
            callOut();
            return sources.read(source, last, size);
          });
    }

    @Override
    public int compare(Item left, Item right) {
      callOut();
      return BY_VALUE.compare(left, right);
    }
  }

  @Test
  void whateverCallThrowsTheStreamEndsWithThatError() {
    int ends = 0;
    for (int throwAt = 1; ends == 0; throwAt++) {
      Throwing throwing = new Throwing(throwAt);
      List<Throwable> failures = new ArrayList<>();
      AtomicInteger completions = new AtomicInteger();
      new PagedMerge<>(throwing, throwing, new Bounds(3, 2, 2, ALL))
          .doOnNext(item -> throwing.callOut())
          .subscribe(item -> {}, failures::add, completions::incrementAndGet);
      if (throwing.calls < throwAt) {
        assertThat(failures).isEmpty();
        assertThat(completions).hasValue(1);
        ends = throwAt;
      } else {
        assertThat(completions).hasValue(0);
        assertThat(failures)
            .as("when call %d throws", throwAt)
            .singleElement()
            .satisfies(failure -> assertThat(failure).hasMessageContaining("thrown by the test"));
      }
    }
    assertThat(ends).isGreaterThan(40);
  }

  @Test
  void aReadWhoseCancelThrowsDoesNotKeepTheOthersFromBeingCancelled() {
    ByHand pages = new ByHand();
    List<Integer> cancelled = new ArrayList<>();
    PagedMerge.Pages<Item> throwing =
        (source, last, size) ->
            pages
                .read(source, last, size)
                .doOnCancel(
                    () -> {
                      throw new StackOverflowError("thrown by the test");
                    })
                .doOnCancel(() -> cancelled.add(source));
    List<Throwable> dropped = new CopyOnWriteArrayList<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      merge(throwing, new Bounds(3, 2, 3, ALL)).subscribe().dispose();
    } finally {
      Hooks.resetOnErrorDropped();
    }
    assertThat(cancelled).containsExactly(0, 1, 2);
    assertThat(dropped)
        .hasSize(3)
        .allSatisfy(thrown -> assertThat(thrown).rootCause().hasMessage("thrown by the test"));
  }

  /** The cancel and the error come within one pass of the drain loop: the error is seen first. */
  @Test
  void anErrorOfAPageThatComesWithTheCancelIsDroppedAndNotSignalled() {
    List<Throwable> dropped = new CopyOnWriteArrayList<>();
    List<Throwable> signalled = new ArrayList<>();
    AtomicReference<@Nullable Subscription> upstream = new AtomicReference<>();
    PagedMerge.Pages<Item> cancelling =
        (source, last, size) -> {
          Objects.requireNonNull(upstream.get()).cancel();
          return Mono.error(new IllegalStateException("late"));
        };
    Hooks.onErrorDropped(dropped::add);
    try {
      merge(cancelling, new Bounds(1, 2, 1, ALL))
          .subscribe(
              new CoreSubscriber<>() { // unlike BaseSubscriber, passes on what comes after a cancel
                @Override
                public void onSubscribe(Subscription subscription) {
                  upstream.set(subscription);
                  subscription.request(1);
                }

                @Override
                public void onNext(Item item) {}

                @Override
                public void onError(Throwable failure) {
                  signalled.add(failure);
                }

                @Override
                public void onComplete() {}
              });
    } finally {
      Hooks.resetOnErrorDropped();
    }
    assertThat(signalled).isEmpty();
    assertThat(dropped).singleElement().satisfies(late -> assertThat(late).hasMessage("late"));
  }

  @Test
  void anErrorOfAPageAfterTheCancelIsDropped() {
    List<Throwable> dropped = new CopyOnWriteArrayList<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      TestPublisher<List<Item>> page =
          TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
      Disposable running =
          merge((source, last, size) -> page.mono(), new Bounds(1, 2, 1, ALL)).subscribe();
      running.dispose();
      page.error(new IllegalStateException("late"));
      assertThat(dropped).singleElement().satisfies(late -> assertThat(late).hasMessage("late"));
    } finally {
      Hooks.resetOnErrorDropped();
    }
  }
}
