package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** {@code assign} by name while generators are evicted and subscribers cancel, on many threads. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignByNameRaceTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int THREADS = 4;
  private static final int PLACES = 3;
  private static final int NAMES = 12;
  private static final int OPERATIONS = 5_000;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void endThreads() {
    threads.shutdown();
  }

  @Test
  void anAssignThatIsCancelledAtAnyMomentLeavesNobodyInLine() {
    InMemorySequenceStore store = InMemorySequenceStore.create();
    store.latency(Duration.ofNanos(50_000));
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .maxGenerators(PLACES)
            .template("orders/{tenant}", options -> options.batchSize(50).createMissing(1))
            .build();
    long seed = System.nanoTime();
    Queue<String> assigned = new ConcurrentLinkedQueue<>();
    Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    AtomicInteger cancelled = new AtomicInteger();

    List<CompletableFuture<Void>> runs = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      Random random = new Random(seed + thread);
      runs.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                  SequenceGenerator handle = generators.get("orders/t" + random.nextInt(NAMES));
                  Disposable running =
                      Flux.range(0, 1 + random.nextInt(100))
                          .transform(handle.<Integer, Long>assign((element, value) -> value))
                          .subscribe(
                              value -> assigned.add(handle.name() + " " + value), errors::add);
                  for (int spin = random.nextInt(2_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                  }
                  if (!running.isDisposed()) {
                    cancelled.incrementAndGet();
                  }
                  running.dispose();
                }
              },
              threads));
    }
    CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new)).join();

    assertThat(cancelled).as("seed %d", seed).hasPositiveValue();
    assertThat(assigned).as("seed %d", seed).isNotEmpty();
    assertThat(errors).isEmpty();
    assertThat(assigned).as("seed %d", seed).doesNotHaveDuplicates();
    Awaitility.await("all are idle, seed " + seed)
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              for (int i = 0; i < NAMES; i++) {
                generators.get("orders/t" + i).dispose();
              }
              assertThat(Internals.of(generators).held()).isZero();
            });
    generators.disposeLater().block(LIMIT);
    assertThat(Internals.of(generators).held()).isZero();
  }
}
