package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.HeldStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** next() of a generator that has the value. */
class NextAtOnceTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final AtomicInteger reservations = new AtomicInteger();
  private Runnable onReservation = () -> {};

  private final SequenceGenerator generator =
      SequenceGenerator.builder(new Watched(), "s")
          .blockSize(10)
          .lowWatermark(5)
          .scheduler(Schedulers.immediate())
          .acquireTimeout(Duration.ZERO)
          .reservationTimeout(Duration.ZERO)
          .build();

  /** Tells the test of each reservation. */
  private final class Watched implements SequenceStore {

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      reservations.incrementAndGet();
      onReservation.run();
      return store.reserve(request);
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return store.create(sequence, startValue);
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return store.state(sequence);
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public boolean isReleasable() {
      return false;
    }
  }

  /** Requests when it is told to. */
  private static final class Taker implements CoreSubscriber<Long> {

    private final List<Long> taken = new ArrayList<>();
    private @Nullable Subscription subscription;
    private int completions;

    Subscription subscription() {
      if (subscription == null) {
        throw new IllegalStateException("not subscribed");
      }
      return subscription;
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
    }

    @Override
    public void onNext(Long value) {
      taken.add(value);
      subscription().request(1);
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException(failure);
    }

    @Override
    public void onComplete() {
      completions++;
    }
  }

  private Taker subscribe() {
    Taker taker = new Taker();
    generator.next().subscribe(taker);
    return taker;
  }

  private long takeOne() {
    Taker taker = subscribe();
    taker.subscription().request(1);
    assertThat(taker.taken).hasSize(1);
    return taker.taken.get(0);
  }

  @Test
  void aValueClaimedForASubscriberThatLeavesMeanwhileGoesToTheNext() {
    for (long value = 1; value <= 4; value++) {
      assertThat(takeOne()).isEqualTo(value);
    }
    Taker leaving = subscribe();
    onReservation = () -> leaving.subscription().cancel(); // after the claim, which is at the mark
    leaving.subscription().request(1);

    assertThat(reservations).hasValue(2);
    assertThat(leaving.taken).isEmpty();
    assertThat(leaving.completions).isZero();
    assertThat(takeOne()).isEqualTo(5);
    assertThat(generator.snapshot().issued()).isEqualTo(5);
  }

  @Test
  void requestsAfterTheFirstMeanNothing() {
    takeOne();
    Taker taker = subscribe();
    taker.subscription().request(Long.MAX_VALUE);
    taker.subscription().request(1);

    assertThat(taker.taken).containsExactly(2L);
    assertThat(taker.completions).isEqualTo(1);
    assertThat(takeOne()).isEqualTo(3);
  }

  @Test
  void oneThatCancelsBeforeItRequestsTakesNothing() {
    takeOne();
    Taker taker = subscribe();
    taker.subscription().cancel();
    taker.subscription().request(1);

    assertThat(taker.taken).isEmpty();
    assertThat(takeOne()).isEqualTo(2);
  }

  @Test
  void eachSubscriptionOfOneMonoTakesAValueOfItsOwn() {
    Mono<Long> next = generator.next();

    assertThat(List.of(next.block(), next.block(), next.block())).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aBlockThatHasAFollowerNoShorterThanTheWatermarkStartsNoReservation() {
    for (int i = 0; i < 14; i++) { // the second block came with the 5th, the third with the 15th
      takeOne();
    }
    assertThat(reservations).hasValue(2);
    takeOne();
    assertThat(reservations).hasValue(3);
  }

  @Test
  void aFollowerShorterThanTheWatermarkDoesNotMakeUpForIt() {
    BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 5);
    assertThat(block.isAtWatermark(4)).isFalse();
    assertThat(block.isAtWatermark(5)).isTrue();

    block.next = new BlockCursor(SequenceBlock.of(11, 10), 5);
    assertThat(block.isAtWatermark(5)).isFalse();

    block.next = new BlockCursor(SequenceBlock.of(11, 5), 5);
    assertThat(block.isAtWatermark(5)).isTrue();
  }

  @Test
  void aSubscriptionShowsItsStage() {
    takeOne();
    TestSubscriber<Long> subscriber = TestSubscriber.builder().initialRequest(0).build();
    generator.next().subscribe(subscriber);
    Scannable scanned = Scannable.from(subscriber.scan(Attr.PARENT));

    assertThat(scanned.scan(Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(scanned.scan(Attr.PARENT)).isSameAs(generator);
    assertThat(scanned.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isZero();
    assertThat(scanned.scan(Attr.TERMINATED)).isFalse();

    subscriber.request(1);

    assertThat(scanned.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isZero();
    assertThat(scanned.scan(Attr.TERMINATED)).isTrue();
  }

  @Test
  void valuesThatWereGivenBackComeBeforeTheRestOfTheBlock() {
    List<Long> between = new ArrayList<>();
    generator
        .values()
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                request(4); // claims 1 to 4
              }

              @Override
              protected void hookOnNext(Long value) {
                generator.next().subscribe(between::add); // so that the claim cannot be undone
                cancel();
              }
            });

    assertThat(between).containsExactly(5L);
    assertThat(generator.next().block()).isEqualTo(2);
  }

  @Test
  void nothingBufferedIsGivenOnceTheShutdownHasBegunAndWaitsForAReservation() {
    HeldStore held = new HeldStore();
    SequenceGenerator closing =
        SequenceGenerator.builder(held, "s")
            .blockSize(10)
            .lowWatermark(5)
            .scheduler(Schedulers.immediate())
            .reservationTimeout(Duration.ZERO)
            .build();
    TestSubscriber<Long> first = TestSubscriber.create();
    closing.next().subscribe(first);
    assertThat(held.answer()).isTrue();
    closing.next(5).block(); // leaves 4, and the next block is on its way
    closing.dispose();

    TestSubscriber<Long> late = TestSubscriber.create();
    closing.next().subscribe(late);

    assertThat(closing.snapshot().reservationInFlight()).isTrue();
    assertThat(late.getReceivedOnNext()).isEmpty();
    assertThat(late.expectTerminalError()).isInstanceOf(SequenceDisposedException.class);
    assertThat(held.answer()).isTrue();
  }
}
