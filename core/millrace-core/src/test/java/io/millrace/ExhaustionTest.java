package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** At its largest value a generator stops moving the counter. */
class ExhaustionTest {

  private static final int REFUSED = 50;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final AtomicLong discarded = new AtomicLong();
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  private SequenceGenerator generator(Setting setting) {
    return setting
        .builder(store, "s", 10_000)
        .maxValue(1_004)
        .scheduler(time)
        .metrics(
            new SequenceMetricsRecorder() {
              @Override
              public void discarded(String sequence, long count) {
                discarded.addAndGet(count);
              }
            })
        .build();
  }

  private void exhaust(SequenceGenerator generator) {
    generator.values().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(seen).hasSize(1_004).endsWith(1_003L, 1_004L);
    assertThat(errors).hasSize(1);
    long next = nextValue();
    for (int i = 0; i < REFUSED; i++) {
      generator.next().subscribe(seen::add, errors::add);
      time.advanceTimeBy(Duration.ofMinutes(1));
    }
    assertThat(errors).hasSize(1 + REFUSED).hasOnlyElementsOfType(SequenceExhaustedException.class);
    assertThat(seen).hasSize(1_004);
    assertThat(nextValue()).as("the counter after more requests").isEqualTo(next);
  }

  private long nextValue() {
    return Objects.requireNonNull(store.state("s").block()).nextValue();
  }

  @ParameterizedTest
  @EnumSource
  void movesTheCounterNoMoreOnceItIsPastTheLargestValue(Setting setting) {
    SequenceGenerator generator = generator(setting);
    exhaust(generator);
    long next = nextValue();
    SequenceGeneratorSnapshot end = generator.snapshot();
    assertThat(end.issued()).isEqualTo(1_004);
    assertThat(end.discarded()).isEqualTo(next - 1_005).isEqualTo(discarded.get());
    assertThat(store.releases()).isZero();
  }

  @Test
  void resumesWhenTheCounterWasMovedBack() {
    SequenceGenerator generator = generator(Setting.BATCH);
    SequenceBlock ofAnother = Objects.requireNonNull(store.reserve("s", 1_004).block());
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(errors).hasSize(1);
    long next = nextValue();
    store.release("s", SequenceBlock.of(1_005, next - 1_005)).block();
    assertThat(store.release("s", ofAnother.slice(1_000, 1_004)).block()).isTrue();
    generator.next(4).subscribe(seen::addAll, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(seen).containsExactly(1_001L, 1_002L, 1_003L, 1_004L);
  }

  @Test
  void theErrorSaysWhatIsLeft() {
    SequenceGenerator generator = generator(Setting.BATCH);
    exhaust(generator);
    assertThat(errors.get(REFUSED))
        .hasMessageContaining("no value is left")
        .hasMessageContaining("the next would be 20001")
        .hasMessageContaining("the limit is 1004");
    assertThat(new SequenceExhaustedException("s", 8, 10, 12))
        .hasMessageContaining("fewer than the 10 requested values are left from 8 on")
        .hasMessageContaining("the limit is 12");
  }
}
