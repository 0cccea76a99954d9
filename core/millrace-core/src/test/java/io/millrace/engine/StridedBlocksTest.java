package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How the engine treats blocks whose values are a step apart, or follow no rule. */
class StridedBlocksTest {

  private static final Duration GUARD = Duration.ofSeconds(30);

  private final Queue<SequenceBlock> blocks = new ArrayDeque<>();
  private final List<SequenceBlock> released = new CopyOnWriteArrayList<>();

  private SequenceGeneratorBuilder generator(boolean ordered) {
    SequenceStore store =
        new DelegatingSequenceStore(InMemorySequenceStore.create()) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return Mono.fromCallable(blocks::remove);
          }

          @Override
          public Mono<Boolean> release(String sequence, SequenceBlock tail) {
            return Mono.fromCallable(() -> released.add(tail));
          }

          @Override
          public boolean isOrdered() {
            return ordered;
          }
        };
    return SequenceGenerator.builder(store, "s").blockSize(3).maxBlockSize(3);
  }

  @Test
  void anOrderedStoreMayGiveStridedBlocksThatRise() {
    blocks.add(SequenceBlock.strided(1, 3, 10));
    blocks.add(SequenceBlock.strided(22, 3, 5));
    StepVerifier.create(generator(true).build().values().take(6))
        .expectNext(1L, 11L, 21L, 22L, 27L, 32L)
        .expectComplete()
        .verify(GUARD);
  }

  @Test
  void aStridedBlockThatBeginsBeforeTheLastOneEndedIsRefused() {
    blocks.add(SequenceBlock.strided(1, 3, 10));
    blocks.add(SequenceBlock.strided(20, 3, 10));
    StepVerifier.create(generator(true).build().values().take(6))
        .expectNext(1L, 11L, 21L)
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceRegressionException.class)
                    .hasMessageContaining("more than 21, got 20"))
        .verify(GUARD);
  }

  @Test
  void ofAStridedBlockWhatIsAboveTheLargestValueIsDropped() {
    blocks.add(SequenceBlock.strided(1, 3, 10));
    blocks.add(SequenceBlock.strided(5, 3, 10));
    SequenceGenerator generator = generator(false).maxValue(20).build();
    StepVerifier.create(generator.values().take(4))
        .expectNext(1L, 11L, 5L, 15L)
        .expectComplete()
        .verify(GUARD);
    assertThat(generator.snapshot().discarded()).isEqualTo(2);
  }

  @Test
  void ofExplicitValuesThoseAboveTheLargestAreDropped() {
    blocks.add(SequenceBlock.ofValues(30, 2, 21));
    blocks.add(SequenceBlock.ofValues(20, 40, 1));
    SequenceGenerator generator = generator(false).maxValue(20).build();
    StepVerifier.create(generator.values().take(3))
        .expectNext(2L, 20L, 1L)
        .expectComplete()
        .verify(GUARD);
    assertThat(generator.snapshot().discarded()).isEqualTo(3);
  }

  @Test
  void aStridedBlockIsNotJoinedWithTheNext() {
    SequenceBlock front = SequenceBlock.strided(1, 3, 10);
    for (SequenceBlock back :
        List.of(
            SequenceBlock.strided(22, 3, 10),
            SequenceBlock.strided(31, 3, 20),
            SequenceBlock.of(22, 2),
            SequenceBlock.ofValues(31, 41))) {
      assertThat(Buffer.joined(front, back)).isEqualTo(back);
      assertThat(Buffer.joined(back, front)).isEqualTo(front);
    }
    assertThat(Buffer.joined(SequenceBlock.of(1, 3), SequenceBlock.strided(4, 2, 10)))
        .isEqualTo(SequenceBlock.strided(4, 2, 10));
  }

  /** Single values of two rows may be neighbours and are no run of either. */
  @Test
  void overAStoreWithoutOrderNeighboursAreGivenBackApart() {
    for (boolean ordered : new boolean[] {true, false}) {
      blocks.add(SequenceBlock.of(7, 3));
      blocks.add(SequenceBlock.of(10, 3));
      released.clear();
      SequenceGenerator generator = generator(ordered).lowWatermark(2).build();
      StepVerifier.create(generator.next()).expectNext(7L).expectComplete().verify(GUARD);
      Awaitility.await().atMost(GUARD).until(() -> generator.snapshot().buffered() == 5);
      generator.disposeLater().block(GUARD);
      assertThat(released)
          .as("ordered: %s", ordered)
          .containsExactly(ordered ? SequenceBlock.of(8, 5) : SequenceBlock.of(10, 3));
    }
  }
}
