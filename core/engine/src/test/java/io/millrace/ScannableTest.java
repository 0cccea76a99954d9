package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.Mono;

/** What generators, their publishers and their subscriptions tell Reactor's tools. */
class ScannableTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final SequenceGenerator generator =
      SequenceGenerator.builder(store, "s").batchSize(10).scheduler(new InlineScheduler()).build();
  private final SequenceGenerators generators =
      SequenceGenerators.builder(store)
          .scheduler(new InlineScheduler())
          .sequence("s", options -> options.batchSize(10))
          .build();

  /** Keeps its subscription, and requests nothing by itself. */
  private static final class Idle<T> implements CoreSubscriber<T> {

    private @Nullable Subscription subscription;
    private int values;

    private static <T> Idle<T> of(Publisher<T> source) {
      Idle<T> subscriber = new Idle<>();
      source.subscribe(subscriber);
      return subscriber;
    }

    private Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    private @Nullable Object scan(Attr<?> key) {
      return Scannable.from(subscription()).scanUnsafe(key);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
    }

    @Override
    public void onNext(T value) {
      values++;
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
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
    Idle<?> subscriber = Idle.of(taking.apply(generator));
    assertSubscription(subscriber);
    assertThat(subscriber.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);

    subscriber.subscription().request(demand);
    assertSubscription(subscriber);
    assertThat(subscriber.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(demand);

    subscriber.subscription().cancel();
    assertThat(subscriber.scan(Attr.CANCELLED)).isEqualTo(true);
    assertThat(subscriber.scan(Attr.TERMINATED)).isEqualTo(true);
    assertThat(subscriber.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);
  }

  private void assertSubscription(Idle<?> subscriber) {
    assertThat(subscriber.scan(Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(subscriber.scan(Attr.PARENT)).isSameAs(generator);
    assertThat(subscriber.scan(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
    assertThat(subscriber.scan(Attr.CANCELLED)).isEqualTo(false);
    assertThat(subscriber.scan(Attr.TERMINATED)).isEqualTo(false);
    assertThat(subscriber.scan(Attr.ERROR)).isNull();
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
  void aSubscriptionThatHasItsValueHasEnded() {
    generator.warmup().subscribe();
    Idle<Long> subscriber = Idle.of(generator.next());
    subscriber.subscription().request(1);
    assertThat(subscriber.values).isEqualTo(1);
    assertThat(subscriber.scan(Attr.TERMINATED)).isEqualTo(true);
    assertThat(subscriber.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);
    assertThat(subscriber.scan(Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(subscriber.scan(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
  }

  @Test
  void aSubscriptionByNameTellsItsSubscriberAndItsSource() {
    Idle<Long> subscriber = Idle.of(generators.get("s").values());
    assertThat(subscriber.scan(Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(subscriber.scan(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.SYNC);
    assertThat(subscriber.scan(Attr.ERROR)).isNull();
    Scannable source = Scannable.from(subscriber.scan(Attr.PARENT));
    assertThat(Scannable.from(source.scanUnsafe(Attr.PARENT)).scan(Attr.NAME)).isEqualTo("s");

    Mono<Long> next = generators.get("s").next();
    assertThat(Idle.of(next).scan(Attr.ACTUAL)).isNotNull();
  }
}
