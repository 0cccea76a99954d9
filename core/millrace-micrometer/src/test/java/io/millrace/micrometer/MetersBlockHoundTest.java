package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerator;
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

/** Meters on threads that must not block. */
@Tag("blockhound")
class MetersBlockHoundTest {

  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

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
        .verify(Duration.ofSeconds(60));
  }

  @Test
  void aBlockingCallIsRecordedSoTheOtherTestProvesSomething() {
    onParallel(Mono.fromRunnable(() -> LockSupport.parkNanos(1)));
    assertThat(BLOCKED).isNotEmpty();
  }

  @Test
  void nothingBlocksWhileGeneratorsComeAndGo() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    InMemorySequenceStore store =
        InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofMillis(1));
    MicrometerRecorder recorder = MicrometerRecorder.of(registry);
    onParallel(
        Flux.range(0, 64)
            .flatMap(
                each ->
                    Mono.fromSupplier(
                            () -> SequenceGenerator.builder(store, "s").metrics(recorder).build())
                        .subscribeOn(Schedulers.parallel())
                        .flatMap(
                            generator ->
                                generator
                                    .next(each + 1)
                                    .doOnNext(
                                        values -> registry.getMeters().forEach(Meter::measure))
                                    .then(generator.disposeLater())))
            .then());
    assertThat(registry.getMeters()).isEmpty();
    assertThat(BLOCKED).isEmpty();
  }
}
