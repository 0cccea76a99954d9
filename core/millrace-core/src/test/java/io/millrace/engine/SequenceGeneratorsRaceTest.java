package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Internals;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** Subscriptions and evictions, each on threads of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class SequenceGeneratorsRaceTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int THREADS = 4;
  private static final int OPERATIONS = 3_000;
  private static final int NAMES = 12;

  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  private record Taken(String name, long value) {}

  @AfterEach
  void endThreads() {
    threads.shutdown();
  }

  /** Idle ones are evicted at each sweep but three, and there are places for those in use only. */
  private SequenceGenerators.Builder storm() {
    return SequenceGenerators.builder(store)
        .maxGenerators(THREADS)
        .idleAfter(Duration.ofMillis(1))
        .template(
            "orders", options -> options.blockSize(50).createMissing(1).acquireTimeout(LIMIT));
  }

  private <T> List<T> onAllThreads(Function<Random, T> work) throws Exception {
    long seed = System.nanoTime();

    System.out.println("seed " + seed);
    List<CompletableFuture<T>> runs = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      runs.add(CompletableFuture.supplyAsync(() -> work.apply(random), threads));
    }
    List<T> results = new ArrayList<>();
    for (CompletableFuture<T> run : runs) {
      results.add(run.get());
    }
    return results;
  }

  @Test
  void noValueIsLostOrGivenTwiceAndNobodyMeetsAnEviction() throws Exception {
    store.latency(Duration.ofNanos(20_000));
    SequenceGenerators generators = storm().build();
    List<SequenceGenerator> handles = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      handles.add(generators.forTemplate("orders", "t" + i));
    }
    List<List<Taken>> all =
        onAllThreads(
            random -> {
              List<Taken> taken = new ArrayList<>();
              for (int i = 0; i < OPERATIONS; i++) {
                SequenceGenerator kept = handles.get(random.nextInt(NAMES));
                String name = kept.name();
                SequenceGenerator handle = random.nextBoolean() ? kept : generators.get(name);
                take(handle, random).forEach(value -> taken.add(new Taken(name, value)));
              }
              return taken;
            });
    long evictions = store.releases();
    generators.disposeLater().block(LIMIT);

    Map<String, Set<Long>> byName = new HashMap<>();
    int count = 0;
    for (List<Taken> each : all) {
      for (Taken taken : each) {
        assertThat(byName.computeIfAbsent(taken.name, name -> new HashSet<>()).add(taken.value))
            .as("%s is new", taken)
            .isTrue();
        count++;
      }
    }
    assertThat(count).isGreaterThanOrEqualTo(THREADS * OPERATIONS);
    assertThat(byName).hasSize(NAMES);
    assertThat(evictions).as("evictions that gave values back").isGreaterThan(NAMES);
    byName.forEach(
        (name, values) ->
            assertThat(store.state(name).block(LIMIT))
                .as("no gap in %s", name)
                .isEqualTo(new SequenceState(name, values.size() + 1)));
    assertThat(Internals.of(generators).held()).isZero();
  }

  private static List<Long> take(SequenceGenerator handle, Random random) {
    Mono<List<Long>> taken =
        switch (random.nextInt(3)) {
          case 0 -> handle.next().map(List::of);
          case 1 -> handle.next(1 + random.nextInt(60));
          default -> handle.values().take(1 + random.nextInt(60)).collectList();
        };
    return taken.blockOptional(LIMIT).orElseThrow();
  }
}
