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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/**
 * The engine on threads that must not block. Blocking calls are recorded rather than thrown: a
 * throw on a thread of the scheduler would only be logged.
 */
@Tag("blockhound")
class EngineBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofMillis(1));

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
  void aBlockingCallIsRecordedSoTheOtherTestsProveSomething() {
    onParallel(Mono.fromRunnable(() -> LockSupport.parkNanos(1)));
    assertThat(BLOCKED).isNotEmpty().first().asString().contains("parallel-", "park");
  }

  @ParameterizedTest
  @EnumSource
  void noOperationOfAGeneratorBlocks(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    onParallel(
        generator
            .warmup()
            .thenMany(Flux.range(0, 32))
            .flatMap(
                each ->
                    Flux.merge(
                            generator.next().repeat(20),
                            generator.next(7).flatMapIterable(list -> list),
                            generator.values().take(100).limitRate(9),
                            Flux.range(0, 50)
                                .transform(
                                    generator.<Integer, Long>assign((element, value) -> value)),
                            generator.values().take(Duration.ofMillis(1)))
                        .subscribeOn(Schedulers.parallel()),
                32)
            .count()
            .doOnNext(count -> assertThat(count).isGreaterThanOrEqualTo(32 * 178)));
    onParallel(generator.disposeLater());
    assertThat(generator.snapshot().waiters()).isZero();
    assertThat(BLOCKED).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void failuresTimeoutsAndRetriesBlockNobody(Setting setting) {
    SequenceGenerator generator =
        setting
            .builder(store, "s")
            .maxWaiters(10)
            .acquireTimeout(Duration.ofMillis(2))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(2), 0.5, 2)
            .deliverOn(Schedulers.parallel())
            .build();
    store.failNextReservations(5, new IllegalStateException("on purpose"));
    store.hangNextReservations(1);
    onParallel(
        Flux.range(0, 50)
            .flatMap(
                each ->
                    generator
                        .values()
                        .take(20)
                        .subscribeOn(Schedulers.parallel())
                        .onErrorResume(error -> Flux.empty()),
                50)
            .then());
    onParallel(generator.disposeLater());
    assertThat(BLOCKED).isEmpty();
  }

  @Test
  void noGeneratorIsMadeOrEvictedByABlockedThread() {
    InMemorySequenceStore tenants = InMemorySequenceStore.create().latency(Duration.ofMillis(1));
    SequenceGenerators generators =
        SequenceGenerators.builder(tenants)
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
    assertThat(tenants.releases()).as("evictions").isGreaterThan(100);
    onParallel(generators.disposeLater());
    assertThat(Internals.of(generators).held()).isZero();
    assertThat(BLOCKED).isEmpty();
  }
}
