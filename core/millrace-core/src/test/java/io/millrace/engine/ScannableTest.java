package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.InlineScheduler;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.test.InMemorySequenceStore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Scannable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.Mono;
import reactor.test.subscriber.TestSubscriber;

/** What generators, their publishers and their subscriptions tell Reactor's tools. */
class ScannableTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final SequenceGenerator generator =
      SequenceGenerator.builder(store, "s").blockSize(10).scheduler(new InlineScheduler()).build();
  private final SequenceGenerators generators =
      SequenceGenerators.builder(store)
          .scheduler(new InlineScheduler())
          .sequence("s", options -> options.blockSize(10))
          .build();

  /** One that requests nothing by itself. */
  private static <T> TestSubscriber<T> subscribe(Publisher<T> source) {
    TestSubscriber<T> subscriber = TestSubscriber.builder().initialRequest(0).build();
    source.subscribe(subscriber);
    return subscriber;
  }

  /** What its subscription tells. */
  private static @Nullable Object scan(TestSubscriber<?> subscriber, Attr<?> key) {
    return Scannable.from(subscriber.scan(Attr.PARENT)).scanUnsafe(key);
  }

  @Test
  void aGeneratorTellsItsNameWhatItBuffersAndWhetherItIsDisposed() {
    Scannable scanned = Scannable.from(generator);
    assertThat(scanned.scan(Attr.NAME)).isEqualTo("s");
    assertThat(scanned.scan(Attr.BUFFERED)).isZero();
    assertThat(scanned.scan(Attr.TERMINATED)).isFalse();
    assertThat(scanned.scanUnsafe(Attr.ERROR)).isNull();
    assertThat(generator).hasToString("SequenceGenerator[s]");

    generator.next().subscribe();
    assertThat(scanned.scan(Attr.BUFFERED)).isEqualTo(9);
    generator.dispose();
    assertThat(scanned.scan(Attr.TERMINATED)).isTrue();
  }

  @Test
  void aPublisherIsAStepWithANameOfItsOwn() {
    assertThat(Scannable.from(generator.values()).stepName()).isEqualTo("values");
    assertThat(Scannable.from(generator.next()).stepName()).isEqualTo("sequence");
  }

  @Test
  void aPublisherTellsTheNameOfItsSequenceAndItsGenerator() {
    for (Publisher<?> publisher :
        new Publisher<?>[] {
          generator.next(), generator.next(3), generator.values(), generator.warmup()
        }) {
      assertThat(Scannable.from(publisher).scanUnsafe(Attr.PARENT)).isSameAs(generator);
      assertPublisher(publisher);
    }
    Sequence byName = generators.get("s");
    for (Publisher<?> publisher :
        new Publisher<?>[] {byName.next(), byName.next(3), byName.values()}) {
      assertPublisher(publisher);
    }
  }

  private static void assertPublisher(Publisher<?> publisher) {
    Scannable scanned = Scannable.from(publisher);
    assertThat(scanned.scan(Attr.NAME)).isEqualTo("s");
    assertThat(scanned.scan(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
    assertThat(scanned.scanUnsafe(Attr.ERROR)).isNull();
  }

  private void assertWaits(Function<SequenceGenerator, Publisher<?>> taking, long demand) {
    store.hangNextReservations(1);
    TestSubscriber<?> subscriber = subscribe(taking.apply(generator));
    assertSubscription(subscriber);
    assertThat(scan(subscriber, Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);

    subscriber.request(demand);
    assertSubscription(subscriber);
    assertThat(scan(subscriber, Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(demand);

    subscriber.cancel();
    assertThat(scan(subscriber, Attr.CANCELLED)).isEqualTo(true);
    assertThat(scan(subscriber, Attr.TERMINATED)).isEqualTo(true);
    assertThat(scan(subscriber, Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);
  }

  private void assertSubscription(TestSubscriber<?> subscriber) {
    assertThat(scan(subscriber, Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(scan(subscriber, Attr.PARENT)).isSameAs(generator);
    assertThat(scan(subscriber, Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
    assertThat(scan(subscriber, Attr.CANCELLED)).isEqualTo(false);
    assertThat(scan(subscriber, Attr.TERMINATED)).isEqualTo(false);
    assertThat(scan(subscriber, Attr.ERROR)).isNull();
  }

  @Test
  void aSubscriptionForOneValueTellsItsDemandUntilItIsCancelled() {
    assertWaits(SequenceGenerator::next, 1);
  }

  @Test
  void aSubscriptionForManyValuesTellsItsDemandUntilItIsCancelled() {
    assertWaits(SequenceGenerator::values, 7);
  }

  @Test
  void aSubscriptionByNameTellsItsSubscriberAndItsSource() {
    TestSubscriber<Long> subscriber = subscribe(generators.get("s").values());
    assertThat(scan(subscriber, Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(Scannable.from(scan(subscriber, Attr.PARENT)).scan(Attr.NAME)).isEqualTo("s");

    Mono<Long> next = generators.get("s").next();
    assertThat(scan(subscribe(next), Attr.ACTUAL)).isNotNull();
  }
}
