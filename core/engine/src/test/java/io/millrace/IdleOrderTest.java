package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of the generators that nobody uses, beside a map. */
class IdleOrderTest {

  private final LiveGenerators owner =
      new LiveGenerators(1_000, Bulkhead.OPEN, new InlineScheduler(), Duration.ZERO);
  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final IdleOrder order = new IdleOrder();

  /** The use that was noted for each generator in the order. */
  private final Map<LiveGenerator, Long> noted = new HashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 17, 200})
  void theFirstIsTheOneWithTheSmallestNotedUseWhateverIsAddedRemovedAndRenewed(int count) {
    Random random = new Random(count); // any seed will do; this one makes a failure repeatable
    List<LiveGenerator> all = generators(count);
    for (int step = 0; step < 5_000; step++) {
      LiveGenerator any = all.get(random.nextInt(count));
      switch (random.nextInt(5)) {
        case 0, 1 -> add(any);
        case 2 -> any.used();
        case 3 -> remove(any);
        default -> renewFirst();
      }
      check();
    }
    all.forEach(this::add);
    Collections.shuffle(all, random);
    all.subList(0, count / 2).forEach(this::remove);
    while (!noted.isEmpty()) {
      check();
      remove(Objects.requireNonNull(order.first()));
    }
    check();
  }

  private List<LiveGenerator> generators(int count) {
    List<LiveGenerator> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          new LiveGenerator(
              owner, "s" + i, SequenceGenerator.builder(store, "s" + i), Bulkhead.OPEN));
    }
    return all;
  }

  private void add(LiveGenerator generator) {
    order.add(generator);
    noted.putIfAbsent(generator, generator.lastUse());
  }

  private void remove(LiveGenerator generator) {
    order.remove(generator);
    noted.remove(generator);
    assertThat(generator.orderIndex).isEqualTo(-1);
  }

  private void renewFirst() {
    LiveGenerator first = order.first();
    if (first != null) {
      order.renewFirst();
      noted.put(first, first.lastUse());
    }
  }

  private void check() {
    assertThat(order.size()).isEqualTo(noted.size());
    long least = noted.values().stream().mapToLong(use -> use).min().orElse(Long.MAX_VALUE);
    assertThat(order.firstUse()).isEqualTo(least);
    LiveGenerator first = order.first();
    assertThat(first == null ? Long.MAX_VALUE : noted.get(first)).isEqualTo(least);
  }
}
