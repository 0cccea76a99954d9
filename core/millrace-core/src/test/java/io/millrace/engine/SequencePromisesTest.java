package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.ManualScheduler;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What every setting promises. */
class SequencePromisesTest {

  private static final Duration GUARD = Duration.ofSeconds(60);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  @ParameterizedTest
  @EnumSource
  void nothingTouchesTheStoreBeforeAValueIsRequested(Setting setting) {
    ManualScheduler scheduler = new ManualScheduler();
    SequenceGenerator generator = setting.builder(store, "s").scheduler(scheduler).build();

    generator.next();
    generator.values();
    generator.next(5);
    generator.warmup();
    StepVerifier.create(generator.values(), 0).expectSubscription().thenCancel().verify(GUARD);
    assertThat(scheduler.isQuiet()).as("nothing will touch the store later").isTrue();
    assertThat(store.reservations()).isZero();
    assertThat(generator.snapshot())
        .usingRecursiveComparison()
        .ignoringFields("blockSize", "lowWatermark")
        .isEqualTo(GeneratorHandle.unused("s", false));
  }

  @ParameterizedTest
  @EnumSource
  void eachSubscriptionToNextTakesOneValueOfItsOwn(Setting setting) {
    Mono<Long> next = setting.builder(store, "s").build().next();
    List<Long> values = next.repeat(99).collectList().block(GUARD);
    assertThat(values).containsExactlyElementsOf(range(1, 100));
  }

  @ParameterizedTest
  @EnumSource
  void valuesGivesExactlyWhatIsRequested(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    StepVerifier.create(generator.values(), 0)
        .expectSubscription()
        .thenRequest(3)
        .expectNext(1L, 2L, 3L)
        .thenRequest(2)
        .expectNext(4L, 5L)
        .thenCancel()
        .verify(GUARD);
    assertThat(generator.snapshot().issued()).isEqualTo(5);
    assertThat(generator.next().block(GUARD)).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource
  void nextWithACountGivesThatManyAtOnce(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s", 1_000).build();
    assertThat(generator.next(25).block(GUARD)).containsExactlyElementsOf(range(1, 25));
    assertThat(generator.next(1).block(GUARD)).containsExactly(26L);
    assertThat(generator.next(2_500).block(GUARD)).containsExactlyElementsOf(range(27, 2_526));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> generator.next(0))
        .withMessageContaining("was 0");
  }

  @ParameterizedTest
  @EnumSource
  void aViewSharesTheBufferAndMapsTheValues(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    Sequence negated = generator.map(value -> -value);
    assertThat(negated.next().block(GUARD)).isEqualTo(-1);
    assertThat(generator.next().block(GUARD)).isEqualTo(2);
    assertThat(negated.next(3).block(GUARD)).containsExactly(-3L, -4L, -5L);
    assertThat(negated.values().take(2).collectList().block(GUARD)).containsExactly(-6L, -7L);
    assertThat(Flux.just("a").transform(negated.assign((name, id) -> name + id)).blockLast(GUARD))
        .isEqualTo("a-8");
    assertThat(negated.map(value -> value * 10).next().block(GUARD)).isEqualTo(-90);
  }

  @ParameterizedTest
  @EnumSource
  void assignGivesEachElementOneValueInOrder(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    List<Long> paired =
        Flux.range(1, 5_000)
            .transform(generator.<Integer, Long>assign((element, value) -> value - element))
            .collectList()
            .block(GUARD);
    assertThat(paired).hasSize(5_000).containsOnly(0L);
    assertThat(generator.snapshot().issued()).isEqualTo(5_000);
  }

  @ParameterizedTest
  @EnumSource
  void theValuesOfManySubscribersAreDistinctAndEachOnesRise(Setting setting) {
    store.latency(Duration.ofMillis(1));
    SequenceGenerator generator = setting.builder(store, "s").build();
    List<List<Long>> taken =
        Flux.range(0, 40)
            .flatMap(
                each ->
                    generator
                        .values()
                        .limitRate(1 + each)
                        .take(100)
                        .collectList()
                        .subscribeOn(Schedulers.parallel()),
                40)
            .collectList()
            .block(GUARD);
    Set<Long> distinct = new HashSet<>();
    for (List<Long> one : Objects.requireNonNull(taken)) {
      assertThat(one).hasSize(100).isSorted();
      distinct.addAll(one);
    }
    assertThat(distinct).hasSize(4_000);
  }

  @ParameterizedTest
  @EnumSource
  void warmupMakesTheFirstValueReadyOrChecksTheRow(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    StepVerifier.create(generator.warmup()).expectComplete().verify(GUARD);
    boolean keeps = setting != Setting.ORDERED;
    assertThat(generator.snapshot().buffered()).isEqualTo(setting.warm());
    assertThat(store.reservations()).isEqualTo(keeps ? 1 : 0);
    StepVerifier.create(generator.warmup()).expectComplete().verify(GUARD);
    assertThat(store.reservations()).isEqualTo(keeps ? 1 : 0);
    assertThat(generator.next().block(GUARD)).isEqualTo(1);

    SequenceGenerator missing = setting.builder(store, "missing").build();
    StepVerifier.create(missing.warmup())
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceNotFoundException.class)
                    .hasMessageContaining("missing"))
        .verify(GUARD);
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }
}
