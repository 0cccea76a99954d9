package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

/** Values that came for elements, and that reach nobody since the stream ends before. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignGiveBackTest {

  private static final int ELEMENTS = 200;

  /** How a sequence is come by. */
  private enum Kind {
    OWN,
    BY_NAME,
    MAPPED,
    MAPPED_BY_NAME
  }

  /** A generator over a store, and the sequence that a stream takes its values of. */
  private static final class Numbers {

    private final SequenceGenerators generators;
    private final SequenceGenerator generator;
    private final Sequence sequence;

    Numbers(Kind kind, SequenceStore store, Consumer<SequenceGeneratorBuilder> options) {
      generators =
          SequenceGenerators.builder(store).anyName().maxGenerators(1).defaults(options).build();
      SequenceGeneratorBuilder own = SequenceGenerator.builder(store, "s");
      options.accept(own);
      boolean named = kind == Kind.BY_NAME || kind == Kind.MAPPED_BY_NAME;
      generator = named ? generators.get("s") : own.build();
      boolean mapped = kind == Kind.MAPPED || kind == Kind.MAPPED_BY_NAME;
      sequence = mapped ? generator.map(value -> value) : generator;
    }
  }

  private static final class Receiver extends BaseSubscriber<Long> {

    private final List<Long> received = new ArrayList<>();

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(Long value) {
      received.add(value);
    }
  }

  private final HeldStore held = new HeldStore();
  private final CountDownLatch inRequest = new CountDownLatch(1);
  private final CountDownLatch requestMayEnd = new CountDownLatch(1);

  /** Emits 200 elements at once; the thread that asks for one more is held. */
  private Asked<Integer> slow() {
    Asked<Integer> source = new Asked<>();
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            IntStream.range(0, ELEMENTS).forEach(asked::emit);
          } else {
            inRequest.countDown();
            passed(requestMayEnd);
          }
        };
    return source;
  }

  private static void passed(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nothing happened for 60 seconds");
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private Numbers numbers(Kind kind) {
    return new Numbers(kind, held, options -> options.scheduler(new InlineScheduler()));
  }

  /** Has the values of 200 elements come while the loop of the stream is held up. */
  private Thread holdUp(Flux<Long> stream, Receiver receiver) {
    stream.subscribe(receiver);
    receiver.request(ELEMENTS);
    Thread requester = new Thread(() -> receiver.request(1));
    requester.start();
    passed(inRequest);
    assertThat(held.answer()).isTrue();
    return requester;
  }

  private void goOn(Thread requester) throws InterruptedException {
    requestMayEnd.countDown();
    requester.join();
  }

  @ParameterizedTest
  @EnumSource
  void valuesThatWaitForTheLoopGoBackWhenTheStreamIsCancelled(Kind kind) throws Exception {
    Numbers numbers = numbers(kind);
    Receiver receiver = new Receiver();
    Thread requester =
        holdUp(
            slow().transform(numbers.sequence.<Integer, Long>assign((element, value) -> value)),
            receiver);

    receiver.cancel();
    goOn(requester);

    assertThat(receiver.received).isEmpty();
    SequenceGeneratorSnapshot end = numbers.generator.snapshot();
    assertThat(end.issued()).isZero();
    assertThat(end.buffered()).isEqualTo(held.nextValue() - 1);
    assertThat(numbers.generator.next().block()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void valuesBehindAnAssignerThatThrowsGoBack(Kind kind) throws Exception {
    Numbers numbers = numbers(kind);
    Receiver receiver = new Receiver();
    Thread requester =
        holdUp(
            slow()
                .transform(
                    numbers.sequence.<Integer, Long>assign(
                        (element, value) -> {
                          if (value == 3) {
                            throw new IllegalStateException("on purpose");
                          }
                          return value;
                        }))
                .onErrorComplete(),
            receiver);

    goOn(requester);

    assertThat(receiver.received).containsExactly(1L, 2L);
    assertThat(numbers.generator.snapshot().issued()).isEqualTo(3);
    assertThat(numbers.generator.next().block()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(names = {"BY_NAME", "MAPPED_BY_NAME"})
  void valuesThatComeBackAfterAnEvictionAreAGap(Kind kind) throws Exception {
    Numbers numbers = numbers(kind);
    Receiver receiver = new Receiver();
    Thread requester =
        holdUp(
            slow()
                .transform(
                    numbers.sequence.<Integer, Long>assign(
                        (element, value) -> {
                          if (value == 3) {
                            receiver.cancel();
                            numbers.generator.dispose();
                            assertThat(Internals.of(numbers.generators).held()).isZero();
                          }
                          return value;
                        })),
            receiver);

    goOn(requester);

    List<Long> given = new ArrayList<>();
    numbers.generator.next().subscribe(given::add);
    held.answer();
    assertThat(given).as("not given twice").containsExactly(ELEMENTS + 1L);
  }

  @Test
  void valuesThatAreNoRunGoBackToo() {
    SequenceStore explicit =
        new DelegatingSequenceStore(InMemorySequenceStore.withSequence("s", 1)) {
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
    SequenceGenerator generator =
        SequenceGenerator.builder(explicit, "s").scheduler(new InlineScheduler()).build();

    assertThat(
            Flux.range(0, ELEMENTS)
                .transform(generator.<Integer, Long>assign((element, value) -> value))
                .takeUntil(value -> value == 3)
                .collectList()
                .block())
        .containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  @Test
  void whatIsLeftOfAReservationIsAGapInTheOrderedMode() {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
            .blockSize(1)
            .scheduler(new InlineScheduler())
            .build();

    assertThat(
            Flux.range(0, ELEMENTS)
                .transform(generator.<Integer, Long>assign((element, value) -> value))
                .takeUntil(value -> value == 3)
                .collectList()
                .block())
        .containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(ELEMENTS + 1);
  }

  @ParameterizedTest
  @EnumSource
  void aCancelFromWithinTheAssignerLeavesTheRest(Kind kind) throws Exception {
    Numbers numbers = numbers(kind);
    Receiver receiver = new Receiver();
    Thread requester =
        holdUp(
            slow()
                .transform(
                    numbers.sequence.<Integer, Long>assign(
                        (element, value) -> {
                          if (value == 3) {
                            receiver.cancel();
                          }
                          return value;
                        })),
            receiver);

    goOn(requester);

    assertThat(numbers.generator.snapshot().issued()).isEqualTo(3);
    assertThat(numbers.generator.next().block()).isEqualTo(4);
  }
}
