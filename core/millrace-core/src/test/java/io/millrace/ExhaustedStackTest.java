package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A caller whose stack is used up ends its own work. Everybody else is served, and no value is
 * given twice; some may be missing.
 */
class ExhaustedStackTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long STACK = 512 * 1_024;
  private static final int DEPTHS = 600;

  /** At how many of the depths one attempt is made. */
  private static final int STRIDE = 3;

  private final Scheduler scheduler = Schedulers.newParallel("engine", 2);
  private final SequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofMillis(1), scheduler);
  private final Set<Long> received = ConcurrentHashMap.newKeySet();
  private final AtomicInteger doubles = new AtomicInteger();

  @BeforeEach
  void keepQuiet() {
    Hooks.onErrorDropped(overflow -> {});
  }

  @AfterEach
  void tidyUp() {
    Hooks.resetOnErrorDropped();
    scheduler.dispose();
  }

  /** What somebody does at the end of a stack. */
  enum Use {
    NEXT {
      @Override
      Flux<Long> of(SequenceGenerator generator) {
        return generator.next().flux();
      }
    },
    LIST {
      @Override
      Flux<Long> of(SequenceGenerator generator) {
        return generator.next(15).flatMapIterable(list -> list);
      }
    },
    STREAM {
      @Override
      Flux<Long> of(SequenceGenerator generator) {
        return generator.values().take(40);
      }
    },
    ASSIGN {
      @Override
      Flux<Long> of(SequenceGenerator generator) {
        return Flux.range(0, 20)
            .transform(generator.<Integer, Long>assign((element, value) -> value));
      }
    };

    abstract Flux<Long> of(SequenceGenerator generator);
  }

  /** Where the generator comes from. */
  private enum Kind {
    ORDERED(Setting.ORDERED),
    BATCH(Setting.BATCH),
    ASYNCHRONOUS(Setting.ASYNCHRONOUS_BATCH),
    BY_NAME(Setting.BATCH);

    private final Setting setting;

    Kind(Setting setting) {
      this.setting = setting;
    }
  }

  static Stream<Arguments> uses() {
    return Stream.of(Use.values())
        .flatMap(use -> Stream.of(Kind.values()).map(kind -> Arguments.of(use, kind)));
  }

  private SequenceGenerator generator(Kind kind) {
    if (kind != Kind.BY_NAME) {
      return kind.setting
          .builder(store, "s", 50)
          .scheduler(scheduler)
          .acquireTimeout(LIMIT)
          .build();
    }
    return SequenceGenerators.builder(store)
        .scheduler(scheduler)
        .sequence("s", options -> options.blockSize(10).scheduler(scheduler).acquireTimeout(LIMIT))
        .build()
        .get("s");
  }

  private Disposable take(Flux<Long> values) {
    return values.subscribe(
        value -> {
          if (!received.add(value)) {
            doubles.incrementAndGet();
          }
        },
        failed -> {});
  }

  @ParameterizedTest
  @MethodSource("uses")
  void overflowsAtManyDepthsLeaveTheGeneratorAlive(Use use, Kind kind) throws Exception {
    SequenceGenerator generator = generator(kind);
    for (Use each : Use.values()) { // or the classes of others would be initialized down there
      take(each.of(generator));
    }
    await().atMost(LIMIT).untilAsserted(() -> assertThat(generator.snapshot().waiters()).isZero());
    List<Disposable> down = new ArrayList<>();
    EndOfStack deep =
        EndOfStack.dive(
            STACK,
            DEPTHS,
            depth -> {
              if (depth % STRIDE == 0) {
                down.add(take(use.of(generator)));
              }
            });
    int healthy = 0;
    while (deep.isDiving()) { // others, who wait meanwhile
      take(generator.next().doOnNext(value -> {}).flux());
      assertThat(generator.next().block(LIMIT)).isNotNull();
      healthy++;
    }
    assertThat(deep.overflows()).as("overflows, of them some inside").isPositive();
    assertThat(down.size() + healthy).isPositive();
    assertThat(generator.next().block(LIMIT)).isNotNull();
    assertThat(generator.values().take(100).blockLast(LIMIT)).isNotNull();
    down.forEach(Disposable::dispose);
    generator.disposeLater().block(LIMIT);
    assertThat(received).isNotEmpty();
    assertThat(doubles).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"BATCH", "BY_NAME"})
  void aDisposalThatTheStackEndedCanBeRepeated(Kind kind) throws Exception {
    AtomicInteger ended = new AtomicInteger();
    begin(generator(kind).disposeLater(), ended); // its classes are initialized up here
    await().atMost(LIMIT).untilAsserted(() -> assertThat(ended).hasValue(1));
    List<Mono<Void>> disposals = new ArrayList<>();
    for (int i = 0; i < DEPTHS / STRIDE; i++) {
      SequenceGenerator generator = generator(kind);
      generator.next().block(LIMIT);
      disposals.add(generator.disposeLater());
    }
    EndOfStack deep =
        EndOfStack.diveUntilOneReturns(
            STACK,
            DEPTHS,
            depth -> begin(disposals.get(Math.min(depth / STRIDE, disposals.size() - 1)), ended));
    assertThat(deep.overflows()).isPositive();
    for (Mono<Void> each : disposals) {
      each.block(LIMIT);
    }
    await().atMost(LIMIT).untilAsserted(() -> assertThat(ended.get()).isGreaterThan(1));
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"ORDERED", "BATCH", "ASYNCHRONOUS"})
  void anAnswerThatTheStackEndedIsOverWhenItsTimeoutHasPassed(Kind kind) throws Exception {
    List<Runnable> answers = Collections.synchronizedList(new ArrayList<>());
    int generators = DEPTHS / STRIDE;
    for (int i = 0; i < generators; i++) {
      SequenceGenerator generator =
          kind.setting
              .builder(new AnswersLater(answers), "s", 50)
              .scheduler(scheduler)
              .reservationTimeout(Duration.ofSeconds(1))
              .acquireTimeout(LIMIT)
              .build();
      take(generator.next().flux());
    }
    await().atMost(LIMIT).untilAsserted(() -> assertThat(answers).hasSize(generators));
    EndOfStack deep =
        EndOfStack.dive(
            STACK,
            DEPTHS,
            depth -> {
              if (depth % STRIDE == 0) {
                answers.get(depth / STRIDE).run();
              }
            });
    assertThat(deep.overflows()).isPositive();
    await().atMost(LIMIT).untilAsserted(() -> assertThat(received).hasSize(generators));
    assertThat(doubles).hasValue(0);
  }

  /** Its first answer is sent by the thread that runs it. */
  private final class AnswersLater extends DelegatingSequenceStore {

    private final List<Runnable> answers;
    private final AtomicBoolean asked = new AtomicBoolean();

    AnswersLater(List<Runnable> answers) {
      super(store);
      this.answers = answers;
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return asked.getAndSet(true)
          ? super.reserve(request)
          : super.reserve(request)
              .flatMap(
                  block -> {
                    Sinks.One<SequenceBlock> answer = Sinks.one();
                    answers.add(() -> answer.tryEmitValue(block));
                    return answer.asMono();
                  });
    }
  }

  private static void begin(Mono<Void> disposal, AtomicInteger ended) {
    disposal.subscribe(nothing -> {}, failed -> {}, ended::incrementAndGet);
  }
}
