package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Making, evicting and disposing generators on threads that must not block. */
@Tag("blockhound")
class SequenceGeneratorsBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  private final InMemorySequenceStore store =
      InMemorySequenceStore.create().latency(Duration.ofMillis(1));

  @BeforeAll
  static void arm() {
    BlockHound.builder()
        .loadIntegrations()
        .blockingMethodCallback(
            method -> BLOCKED.add(Thread.currentThread().getName() + ": " + method))
        .install();
  }

  @BeforeEach
  void clear() {
    BLOCKED.clear();
  }

  private static <T> void onParallel(Mono<T> work) {
    StepVerifier.create(work.subscribeOn(Schedulers.parallel()).then())
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void aBlockingCallIsRecordedSoTheOtherTestProvesSomething() {
    onParallel(Mono.fromRunnable(() -> LockSupport.parkNanos(1)));
    assertThat(BLOCKED).isNotEmpty().first().asString().contains("parallel-", "park");
  }

  @Test
  void noGeneratorIsMadeOrEvictedByABlockedThread() {
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .maxGenerators(20)
            .idleAfter(Duration.ofMillis(4))
            .template("orders", options -> options.blockSize(10).createMissing(1))
            .build();
    onParallel(
        Flux.range(0, 500)
            .flatMap(
                i ->
                    Mono.defer(() -> generators.forTemplate("orders", "t" + i % 60).next(3))
                        .subscribeOn(Schedulers.parallel()),
                16)
            .count()
            .doOnNext(count -> assertThat(count).isEqualTo(500)));
    assertThat(store.releases()).as("evictions").isGreaterThan(100);
    onParallel(generators.disposeLater());
    assertThat(Internals.of(generators).held()).isZero();
    assertThat(BLOCKED).isEmpty();
  }
}
