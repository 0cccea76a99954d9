package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Hooks;

/** Reactor's operator hooks see what a generator returns. */
class OperatorHooksTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final SequenceGenerator generator =
      SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
          .batchSize(10)
          .build();

  @AfterEach
  void removeHooks() {
    Hooks.resetOnEachOperator();
    Hooks.resetOnOperatorDebug();
  }

  @Test
  void aHookOnEachOperatorSeesEveryPublisherOfAGenerator() {
    List<Publisher<?>> seen = new CopyOnWriteArrayList<>();
    Hooks.onEachOperator(
        publisher -> {
          seen.add(publisher);
          return publisher;
        });
    List<Publisher<?>> mine =
        List.of(generator.next(), generator.next(3), generator.values(), generator.warmup());
    assertThat(seen).containsAll(mine);
  }

  @Test
  void valuesFlowWhereEveryOperatorIsTraced() {
    Hooks.onOperatorDebug();
    assertThat(generator.next().block(LIMIT)).isEqualTo(1);
    assertThat(generator.next(3).block(LIMIT)).containsExactly(2L, 3L, 4L);
    assertThat(generator.values().take(8).collectList().block(LIMIT)).hasSize(8);
  }
}
