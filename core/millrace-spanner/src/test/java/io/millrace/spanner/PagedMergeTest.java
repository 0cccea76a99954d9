package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spanner.PagedMerge.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

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
    final int[] given = new int[12]; // by source, of which one read at a time is under way
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
            List<Item> all = sources.get(source);
            int from = last == null ? 0 : last.position() + 1;
            List<Item> page = all.subList(from, Math.min(all.size(), from + size));
            given[source] += page.size();
            return page;
          });
    }
  }

  private static Flux<Item> merge(PagedMerge.Pages<Item> pages, Bounds bounds) {
    return PagedMerge.of(pages, BY_VALUE, bounds);
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
        (source, last, size) ->
            sources
                .read(source, last, size)
                .delaySubscription(Duration.ofNanos(100_000))
                .doOnSubscribe(
                    begun ->
                        sources.mostAtOnce.accumulateAndGet(
                            sources.atOnce.incrementAndGet(), Math::max))
                .doOnTerminate(sources.atOnce::decrementAndGet);
    assertThat(
            merge(elsewhere, new Bounds(count, pageSize, concurrency, ALL))
                .publishOn(Schedulers.single(), prefetch)
                .collectList()
                .block(LIMIT))
        .isEqualTo(sources.merged());
    assertThat(sources.mostAtOnce).hasValueLessThanOrEqualTo(concurrency);
  }

  @Property
  void twoAndAHalfPagesOfEachSourceAreTheMostInMemory(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 1, max = 15) int pageSize,
      @ForAll @IntRange(min = 1, max = 4) int concurrency,
      @ForAll @IntRange(min = 1, max = 9) int demand,
      @ForAll long seed) {
    Sources sources = Sources.random(count, 60, seed);
    List<Item> received = new ArrayList<>();
    BaseSubscriber<Item> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            // requests later, so the next pages come while elements wait
          }

          @Override
          protected void hookOnNext(Item item) {
            received.add(item);
          }
        };
    merge(sources, new Bounds(count, pageSize, concurrency, ALL)).subscribe(subscriber);
    for (int size = -1; size < received.size(); ) {
      size = received.size();
      subscriber.request(demand);
      int[] held = sources.given.clone();
      received.forEach(item -> held[item.source()]--);
      assertThat(Arrays.stream(held)).allMatch(each -> each <= 2 * pageSize + pageSize / 2);
    }
    assertThat(received).isEqualTo(sources.merged());
  }

  @Test
  void theNextPagesAreReadWhileTheElementsBeforeThemWaitForDemand() {
    Sources sources = Sources.even(2, 100);
    StepVerifier.create(merge(sources, new Bounds(2, 10, 2, ALL)), 0)
        .then(() -> assertThat(sources.sizes).as("of two rounds").hasSize(4))
        .thenRequest(18)
        .expectNextCount(18)
        .then(() -> assertThat(sources.sizes).as("the first round had 19 elements").hasSize(4))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(sources.sizes).hasSize(6))
        .thenCancel()
        .verify();
  }

  @Test
  void aSourceOfWhichMoreThanHalfAPageIsLeftIsNotReadAgain() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(3, 4, 3, ALL)))
        .then(() -> pages.answer(0, items(0, 1, 2, 3, 4)))
        .then(() -> pages.answer(1, items(1, 4, 8, 9, 9)))
        .then(() -> pages.answer(2, items(2, 1, 2, 8, 9)))
        .expectNextCount(6)
        .then(() -> assertThat(pages.sources).containsExactly(0, 1, 2, 0, 2))
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
        .as("one is to come, perhaps the one that is left of source 1, or the next of source 0")
        .containsExactly(8, 8, 1);

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
  void anErrorOfOneSourceEndsTheOthers() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(4, 2, 3, ALL)))
        .then(() -> pages.answer(0, new Item(1, 0, 0), new Item(2, 0, 1)))
        .then(() -> assertThat(pages.sources).containsExactly(0, 1, 2, 3))
        .then(() -> pages.pages.get(1).tryEmitError(new IllegalStateException("gone")))
        .verifyErrorMessage("gone");
    assertThat(pages.cancelled).contains(2, 3);
  }

  @Test
  void aCancelEndsTheReadsAndStartsNone() {
    ByHand pages = new ByHand();
    StepVerifier.create(merge(pages, new Bounds(4, 2, 2, ALL)))
        .then(() -> pages.answer(0, new Item(1, 0, 0), new Item(2, 0, 1)))
        .thenCancel()
        .verify();
    pages.pages.get(1).tryEmitValue(List.of());
    assertThat(pages.sources).containsExactly(0, 1, 2);
    assertThat(pages.cancelled).containsExactlyInAnyOrder(1, 2);
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

  /** Pages come from other threads; one of them may fail. */
  @Property(tries = 300)
  void whateverComesAtOnceTheSubscriberGetsOneEndAndNothingAfterItsCancel(
      @ForAll @IntRange(min = 1, max = 4) int pageSize,
      @ForAll @IntRange(min = 1, max = 100) int failsAt,
      @ForAll @IntRange(max = 100) int leavesAt,
      @ForAll @IntRange(min = 1, max = 9) int demand) {
    Sources sources = Sources.even(3, 30);
    AtomicInteger reads = new AtomicInteger();
    AtomicInteger underWay = new AtomicInteger();
    PagedMerge.Pages<Item> elsewhere =
        (source, last, size) ->
            sources
                .read(source, last, size)
                .subscribeOn(Schedulers.parallel())
                .map(
                    page -> {
                      if (reads.incrementAndGet() == failsAt) {
                        throw new IllegalStateException("on purpose");
                      }
                      return page;
                    })
                .doOnSubscribe(begun -> underWay.incrementAndGet())
                .doFinally(end -> underWay.decrementAndGet());
    List<Item> received = Collections.synchronizedList(new ArrayList<>());
    List<Object> ends = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch over = new CountDownLatch(1);
    BaseSubscriber<Item> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            request(demand);
          }

          @Override
          protected void hookOnNext(Item item) {
            received.add(item);
            if (received.size() == leavesAt) {
              Schedulers.parallel().schedule(this::cancel);
            }
            if (received.size() % demand == 0) {
              Schedulers.single().schedule(() -> request(demand));
            }
          }

          @Override
          protected void hookFinally(SignalType type) {
            ends.add(type);
            over.countDown();
          }
        };
    merge(elsewhere, new Bounds(3, pageSize, 2, ALL)).subscribe(subscriber);
    await(over);
    Awaitility.await().atMost(LIMIT).until(() -> underWay.get() == 0);
    assertThat(ends).hasSize(1);
    assertThat(received).isEqualTo(sources.merged().subList(0, received.size()));
    if (ends.contains(SignalType.ON_COMPLETE)) {
      assertThat(received).hasSize(90);
    }
  }

  private static void await(CountDownLatch over) {
    try {
      assertThat(over.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static Item[] items(int source, int... values) {
    return IntStream.range(0, values.length)
        .mapToObj(i -> new Item(values[i], source, i))
        .toArray(Item[]::new);
  }

  @Test
  void aSubscriberThatThrowsReceivesThatAndTheReadsEnd() {
    ByHand pages = new ByHand();
    List<Throwable> failures = new ArrayList<>();
    BaseSubscriber<Item> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            request(1);
          }

          @Override
          protected void hookOnError(Throwable failure) {
            failures.add(failure);
          }
        };
    merge(pages, new Bounds(2, 2, 2, ALL))
        .doOnNext(
            item -> {
              if (item.value() == 2) {
                throw new StackOverflowError("thrown by the test");
              }
            })
        .subscribe(subscriber);
    pages.answer(0, items(0, 1, 2));
    pages.answer(1, items(1, 3, 4));
    assertThat(pages.sources).as("the next round has begun").containsExactly(0, 1, 0);
    subscriber.request(1);
    assertThat(failures)
        .singleElement()
        .satisfies(failure -> assertThat(failure).rootCause().hasMessage("thrown by the test"));
    assertThat(pages.cancelled).contains(0);
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
  void aMillionElementsFromPagesThatAreThereAtOnceNeedNoStack() {
    Sources sources = Sources.even(2, 500_000);
    assertThat(merge(sources, new Bounds(2, 1, 1, ALL)).count().block(LIMIT)).isEqualTo(1_000_000L);
  }

  @Test
  void anOrderThatThrowsEndsTheStreamWithItsError() {
    StepVerifier.create(
            PagedMerge.<Item>of(
                Sources.even(2, 9),
                (left, right) -> {
                  throw new IllegalStateException("no order");
                },
                new Bounds(2, 3, 1, ALL)))
        .verifyErrorMessage("no order");
  }
}
