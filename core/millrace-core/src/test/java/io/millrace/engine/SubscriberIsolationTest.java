package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceTimeoutException;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What subscribers may do to a generator, and to each other through it. */
class SubscriberIsolationTest {

  private static final Duration LATENCY = Duration.ofMillis(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private SequenceGeneratorBuilder builder(Setting setting) {
    return builder(setting, 10_000);
  }

  private SequenceGeneratorBuilder builder(Setting setting, long maxBatchSize) {
    return setting.builder(store, "s", maxBatchSize).scheduler(time);
  }

  @ParameterizedTest
  @EnumSource
  void anUnboundedSubscriberBehindAnotherGetsEveryValueThatIsLeft(Setting setting) {
    SequenceGenerator generator = builder(setting, 1_000).build();
    generator.next((int) setting.batchSize).subscribe(); // while this one is served, two more come
    List<Long> one = new ArrayList<>();
    generator.next().subscribe(one::add);
    List<Long> stream = new ArrayList<>();
    Disposable unbounded = generator.values().subscribe(stream::add);
    time.advanceTimeBy(LATENCY.multipliedBy(8));
    unbounded.dispose();
    time.advanceTimeBy(LATENCY);
    assertThat(one).hasSize(1);
    assertThat(stream).hasSizeGreaterThan(900).isSorted().doesNotHaveDuplicates();
    SequenceGeneratorSnapshot end = generator.snapshot();
    assertThat(end.issued()).isEqualTo(setting.batchSize + one.size() + stream.size());
    assertThat(end.waiters()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aSubscriberThatThrowsHarmsNobodyElse(Setting setting) {
    SequenceGenerator generator = builder(setting).build();
    generator.next().subscribe(new Thrower());
    List<Long> other = new ArrayList<>();
    generator.next().subscribe(other::add);
    assertThatCode(() -> time.advanceTimeBy(LATENCY.multipliedBy(2))).doesNotThrowAnyException();
    assertThat(other).hasSize(1);
    generator.next().subscribe(other::add);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(other).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void whatASubscriberThatThrowsHadNotTakenIsNotIssued(Setting setting) {
    SequenceGenerator generator = builder(setting).build();
    List<Long> seen = new ArrayList<>();
    CoreSubscriber<Long> throwing =
        new Thrower(5) {
          @Override
          public void onNext(Long value) {
            seen.add(value);
            if (seen.size() == 2) {
              super.onNext(value);
            }
          }
        };
    generator.values().subscribe(throwing);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(seen).containsExactly(1L, 2L);
    assertThat(generator.snapshot().issued()).isEqualTo(2);
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(seen).hasSize(3);
    assertThat(seen.get(2)).isEqualTo(setting == Setting.ORDERED ? 6 : 3);
  }

  @Test
  void whatASubscriberThatThrowsIsPassedAtOnceGoesBackToo() {
    SequenceGenerator generator = builder(Setting.BATCH).build();
    generator.warmup().subscribe();
    time.advanceTimeBy(LATENCY);
    assertThatThrownBy(() -> generator.values().subscribe(new Thrower(5))).hasMessage("on purpose");
    assertThat(generator.snapshot().issued()).isEqualTo(1);
    assertThat(generator.snapshot().buffered()).isEqualTo(9);
  }

  @Test
  void aSubscriberThatThrowsAtItsTimeoutHarmsNobodyElse() {
    store.hangNextReservations(1);
    SequenceGenerator generator =
        builder(Setting.BATCH)
            .acquireTimeout(Duration.ofSeconds(1))
            .reservationTimeout(Duration.ZERO)
            .build();
    generator.next().subscribe(new Thrower());
    List<Throwable> errors = new ArrayList<>();
    generator.next().subscribe(value -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(errors).hasSize(1);
    generator.next().subscribe(value -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(errors).hasSize(2).hasOnlyElementsOfType(SequenceTimeoutException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatHadToWaitEndsSoonAfterTheDisposalOfItsGenerator(Setting setting) {
    SequenceGenerator generator = builder(setting, 100_000).build();
    AtomicReference<Throwable> error = new AtomicReference<>();
    List<Long> seen = new ArrayList<>();
    Consumer<Long> disposing =
        value -> {
          seen.add(value);
          if (seen.size() == 10) {
            generator.dispose();
          }
        };
    generator.next().subscribe();
    generator.values().subscribe(disposing, error::set);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(error.get()).isInstanceOf(SequenceDisposedException.class);
    if (setting != Setting.ORDERED) { // where what is granted is issued, or it is a gap
      assertThat(seen).hasSizeLessThan(2 * (int) BufferedSequenceGenerator.CHUNK);
    }
  }

  /** Breaks rule 2.13: throws from its signals. */
  private static class Thrower implements CoreSubscriber<Long> {

    private final long demand;

    Thrower() {
      this(1);
    }

    Thrower(long demand) {
      this.demand = demand;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(demand);
    }

    @Override
    public void onNext(Long value) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException("on purpose", failure);
    }

    @Override
    public void onComplete() {}
  }
}
