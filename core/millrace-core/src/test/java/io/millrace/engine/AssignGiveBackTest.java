package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.Probe;
import io.millrace.ReservationRequest;
import io.millrace.Sequence;
import io.millrace.Sequence.Assigner;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Values of a run whose stream ends amid it. */
class AssignGiveBackTest {

  private static final int ELEMENTS = 200;

  private final HeldStore held = new HeldStore();
  private final Probe probe = Probe.idle(ELEMENTS);
  private final SequenceGenerators generators =
      SequenceGenerators.builder(held)
          .anyName()
          .maxGenerators(1)
          .defaults(options -> options.scheduler(new InlineScheduler()))
          .build();

  private static SequenceGeneratorBuilder inline(SequenceStore store) {
    return SequenceGenerator.builder(store, "s").scheduler(new InlineScheduler());
  }

  /** Assigns values to 200 elements, in one run once the store answers. */
  private void run(Sequence sequence, Assigner<Integer, Long> assigner) {
    Flux.range(0, ELEMENTS).hide().transform(sequence.assign(assigner)).subscribe(probe);
    held.answer();
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, false",
    "false, false, true",
    "false, true, false",
    "true, false, false",
    "true, false, true",
    "true, true, true"
  })
  void unassignedValuesGoBackWhenTheAssignerThrowsOrCancels(
      boolean byName, boolean mapped, boolean throwing) {
    SequenceGenerator generator = byName ? generators.get("s") : inline(held).build();
    run(
        mapped ? generator.map(value -> value) : generator,
        (element, value) -> {
          if (value == 3 && throwing) {
            throw new IllegalStateException("on purpose");
          } else if (value == 3) {
            probe.cancel();
          }
          return value;
        });
    assertThat(probe.values).startsWith(1L, 2L).hasSizeLessThan(4);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.snapshot().buffered()).isEqualTo(held.nextValue() - 4);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  private static List<Long> firstThree(SequenceGenerator generator) {
    return Flux.range(0, ELEMENTS)
        .transform(generator.<Integer, Long>assign((element, value) -> value))
        .takeUntil(value -> value == 3)
        .collectList()
        .blockOptional()
        .orElseThrow();
  }

  @Test
  void unassignedExplicitValuesGoBack() {
    SequenceStore explicit =
        new DelegatingSequenceStore(InMemorySequenceStore.withSequence("s", 1)) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return super.reserve(request)
                .map(run -> LongStream.range(0, run.size()).map(run::valueAt).toArray())
                .map(SequenceBlock::ofValues);
          }
        };
    SequenceGenerator generator = inline(explicit).build();
    assertThat(firstThree(generator)).containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  @Test
  void unassignedValuesAreAGapInOrderedMode() {
    SequenceGenerator generator =
        inline(InMemorySequenceStore.withSequence("s", 1)).blockSize(1).build();
    assertThat(firstThree(generator)).containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(ELEMENTS + 1);
  }
}
