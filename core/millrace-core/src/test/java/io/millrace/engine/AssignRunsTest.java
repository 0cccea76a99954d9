package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Asked;
import io.millrace.DelegatingSequenceStore;
import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.ReservationRequest;
import io.millrace.Sequence;
import io.millrace.Sequence.Assigner;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.subscriber.TestSubscriber;

/** Elements that are given the values of a generator, a run at a time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignRunsTest {

  /** Whose values. */
  private enum Kind {
    OWN(() -> warm(SequenceGenerator.builder(fresh(), "s").build())),
    BY_NAME(() -> warm(SequenceGenerators.builder(fresh()).anyName().build().get("s"))),
    EXPLICIT(() -> warm(SequenceGenerator.builder(explicit(), "s").build()));

    private final Supplier<SequenceGenerator> generator;

    Kind(Supplier<SequenceGenerator> generator) {
      this.generator = generator;
    }
  }

  /** Answers with blocks of explicit values. */
  private static SequenceStore explicit() {
    return new DelegatingSequenceStore(fresh()) {
      @Override
      public Mono<SequenceBlock> reserve(ReservationRequest request) {
        return delegate()
            .reserve(request)
            .map(
                run ->
                    SequenceBlock.ofValues(
                        LongStream.range(0, run.size()).map(run::valueAt).toArray()));
      }
    };
  }

  private static SequenceStore fresh() {
    return InMemorySequenceStore.withSequence("s", 1);
  }

  private static SequenceGenerator warm(SequenceGenerator generator) {
    generator.warmup().block();
    return generator;
  }

  /** Emits so many elements within the first request, however many were asked for. */
  private static Asked<Integer> eager(int count) {
    Asked<Integer> source = new Asked<>();
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            IntStream.range(0, count).forEach(asked::emit);
          }
        };
    return source;
  }

  /** Collects values, and does something when it has the third. */
  private static final class Third extends BaseSubscriber<Long> {

    private final List<Long> given = new ArrayList<>();
    private final Consumer<Third> onThird;

    Third(Consumer<Third> onThird) {
      this.onThird = onThird;
    }

    @Override
    protected void hookOnNext(Long value) {
      given.add(value);
      if (given.size() == 3) {
        onThird.accept(this);
      }
    }
  }

  private final HeldStore held = new HeldStore();

  /** Has values once the store is told to answer. */
  private final SequenceGenerator late =
      SequenceGenerator.builder(held, "s").scheduler(new InlineScheduler()).build();

  @ParameterizedTest
  @EnumSource
  void whatASubscriberLeavesOfARunGoesBack(Kind kind) {
    SequenceGenerator generator = kind.generator.get();
    Third subscriber = new Third(BaseSubscriber::cancel);

    Flux.range(0, 200)
        .transform(generator.<Integer, Long>assign((element, value) -> value))
        .subscribe(subscriber);

    List<Long> given = subscriber.given;
    assertThat(given).hasSize(3);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.snapshot().discarded()).isZero();
    assertThat(generator.next().block()).isEqualTo(2 * given.get(2) - given.get(1));
  }

  @Test
  void whatASubscriberLeavesOfARunThatHadToWaitGoesBack() {
    List<Long> given = new ArrayList<>();
    waiting((element, value) -> value).takeUntil(value -> value == 3).subscribe(given::add);

    held.answer();

    assertThat(given).containsExactly(1L, 2L, 3L);
    assertThat(late.snapshot().issued()).isEqualTo(3);
    assertThat(late.next().block()).isEqualTo(4);
  }

  @Test
  void anAssignerThatThrowsLeavesTheRestOfARunThatHadToWait() {
    List<Throwable> failures = new ArrayList<>();
    IllegalStateException failure = new IllegalStateException("on purpose");
    waiting(
            (element, value) -> {
              if (value == 3) {
                throw failure;
              }
              return value;
            })
        .subscribe(value -> {}, failures::add);

    held.answer();

    assertThat(failures).containsExactly(failure);
    assertThat(late.snapshot().issued()).isEqualTo(3);
    assertThat(late.next().block()).isEqualTo(4);
  }

  private Flux<Long> waiting(Assigner<Integer, Long> assigner) {
    return Flux.range(0, 200).transform(late.assign(assigner));
  }

  /** As one that is being cancelled from elsewhere does, before the cancel has arrived. */
  @Test
  void whatASubscriberDoesNotTakeOfARunGoesBackAlsoBeforeItHasCancelled() {
    SequenceGenerator generator = Kind.OWN.generator.get();
    List<Long> firsts = new ArrayList<>();

    generator
        .values()
        .subscribe(
            new RunSubscriber() {
              @Override
              public long onRun(long first, long count) {
                firsts.add(first);
                return 3;
              }

              @Override
              public void onSubscribe(Subscription subscription) {
                subscription.request(100);
              }

              @Override
              public void onNext(Long value) {
                throw new IllegalStateException("no run: " + value);
              }

              @Override
              public void onError(Throwable failure) {
                throw new IllegalStateException(failure);
              }

              @Override
              public void onComplete() {}
            });

    assertThat(firsts).containsExactly(1L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  /** The cancel has told the operator, and not yet the generator, when the run is cut short. */
  @Test
  void whatACancelFromElsewhereLeavesOfARunGoesBack() throws InterruptedException {
    SequenceGenerator generator = Kind.OWN.generator.get();
    CountDownLatch cancelling = new CountDownLatch(1);
    CountDownLatch runIsOver = new CountDownLatch(1);
    List<Thread> others = new ArrayList<>();
    Asked<Integer> source = eager(100);
    source.onCancel =
        () -> {
          cancelling.countDown();
          passed(runIsOver);
        };
    Third subscriber =
        new Third(
            third -> {
              Thread other = new Thread(third::cancel);
              others.add(other);
              other.start();
              passed(cancelling);
            });

    source
        .transform(generator.<Integer, Long>assign((element, value) -> value))
        .subscribe(subscriber);
    runIsOver.countDown();
    for (Thread other : others) {
      other.join();
    }

    assertThat(subscriber.given).containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  private static void passed(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nothing happened for 30 seconds");
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void whatIsBeyondTheDemandWaitsForIt() {
    SequenceGenerator generator = Kind.OWN.generator.get();
    TestSubscriber<Long> subscriber = TestSubscriber.builder().initialRequest(1).build();

    eager(3)
        .transform(generator.<Integer, Long>assign((element, value) -> value))
        .subscribe(subscriber);
    assertThat(subscriber.getReceivedOnNext()).containsExactly(1L);

    subscriber.request(2);
    assertThat(subscriber.getReceivedOnNext()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aMapperThatThrowsFailsTheStreamAndLeavesTheRestOfTheRun() {
    SequenceGenerator generator = Kind.OWN.generator.get();
    IllegalStateException failure = new IllegalStateException("on purpose");
    Sequence failing =
        generator.map(
            value -> {
              if (value == 3) {
                throw failure;
              }
              return -value;
            });

    StepVerifier.create(
            Flux.range(0, 100).transform(failing.<Integer, Long>assign((element, value) -> value)))
        .expectNext(-1L, -2L)
        .verifyErrorSatisfies(thrown -> assertThat(thrown).isSameAs(failure));

    assertThat(generator.next().block()).isEqualTo(4);
  }
}
