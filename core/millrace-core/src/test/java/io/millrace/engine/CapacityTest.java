package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A generator knows how many values its sequence has left. */
class CapacityTest {

  private static final Duration GUARD = Duration.ofSeconds(30);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  /** A generator whose reservations have ten values. */
  private SequenceGeneratorBuilder builder(SequenceStore from) {
    return SequenceGenerator.builder(from, "s").blockSize(10).scheduler(time);
  }

  private SequenceGenerator limited() {
    return builder(store).maxValue(1_000).build();
  }

  /** Uses up blocks of ten values. */
  private void use(SequenceGenerator generator, int blocks) {
    for (int i = 0; i < blocks; i++) {
      generator.next(10).subscribe(seen::addAll, errors::add);
      time.advanceTimeBy(Duration.ofMillis(1));
    }
  }

  /** Another process takes values. */
  private void elsewhere(long values) {
    assertThat(store.reserve("s", values).block(GUARD)).isNotNull();
  }

  private static SequenceStore giving(SequenceStore store, SequenceBlock block) {
    return new DelegatingSequenceStore(store) {
      @Override
      public Mono<SequenceBlock> reserve(ReservationRequest request) {
        return Mono.just(block);
      }
    };
  }

  @Test
  void countsTheValuesAboveTheLatestBlock() {
    SequenceGenerator generator = limited();
    assertThat(generator.snapshot().remaining()).as("before the first").isEmpty();
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(generator.snapshot().buffered()).isEqualTo(9);
    assertThat(generator.snapshot().remaining()).hasValue(990);
    elsewhere(500);
    use(generator, 1);
    assertThat(generator.snapshot().remaining()).hasValue(480);
  }

  @Test
  void noticesValuesOfOtherProcessesWhenTheSequenceEnds() {
    SequenceGenerator generator = limited();
    use(generator, 1);
    elsewhere(2_000);
    assertThat(generator.snapshot().remaining()).hasValue(990);
    use(generator, 1);
    assertThat(errors).hasOnlyElementsOfType(SequenceExhaustedException.class).hasSize(1);
    assertThat(generator.snapshot().remaining()).hasValue(0);
  }

  @Test
  void aBlockOfExplicitValuesSaysNothingAboutWhatIsLeft() {
    SequenceBlock explicit = SequenceBlock.ofValues(1, 2, 3, 4, 5, 6, 7, 8, 9, 95);
    SequenceGenerator generator = builder(giving(store, explicit)).maxValue(100).build();
    use(generator, 1);
    assertThat(seen).hasSize(10);
    assertThat(generator.snapshot().remaining()).isEmpty();
  }

  @Test
  void aStoreThatIsNotOrderedSaysNothingAboutWhatIsLeft() {
    SequenceStore unordered =
        new DelegatingSequenceStore(store) {
          @Override
          public boolean isOrdered() {
            return false;
          }
        };
    SequenceGenerator generator = builder(unordered).maxValue(20).build();
    use(generator, 2);
    assertThat(seen).hasSize(20);
    assertThat(generator.snapshot().remaining()).isEmpty();
  }

  @Test
  void rangesBelowZeroAreCountedWithoutAnOverflow() {
    InMemorySequenceStore low = InMemorySequenceStore.withSequence("s", Long.MIN_VALUE + 1);
    SequenceGenerator far = builder(low).build();
    use(far, 1);
    assertThat(far.snapshot().remaining()).hasValue(Long.MAX_VALUE);

    InMemorySequenceStore negative = InMemorySequenceStore.withSequence("s", -100);
    SequenceGenerator near = builder(negative).maxValue(-1).build();
    use(near, 1);
    assertThat(near.snapshot().remaining()).hasValue(90);
  }
}
