package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** However many threads ask, a generator makes one reservation at a time. */
class SingleFlightTest {

  private static final int THREADS = 64;
  private static final int EACH = 500;

  @ParameterizedTest
  @EnumSource
  void manyThreadsShareOneReservationAtATime(Setting setting) {
    InMemorySequenceStore counted =
        InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofMillis(1));
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger mostInFlight = new AtomicInteger();
    SequenceStore store =
        new DelegatingSequenceStore(counted) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return super.reserve(request)
                .doOnSubscribe(
                    subscription ->
                        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max))
                .doOnTerminate(inFlight::decrementAndGet);
          }
        };
    SequenceGenerator generator = setting.builder(store, "s").build();
    Set<Long> distinct = ConcurrentHashMap.newKeySet();
    Scheduler threads = Schedulers.newParallel("single-flight", THREADS);
    try {
      Flux.range(0, THREADS)
          .flatMap(
              each ->
                  (each % 2 == 0 ? one(generator) : stream(generator))
                      .doOnNext(distinct::add)
                      .subscribeOn(threads),
              THREADS)
          .blockLast(Duration.ofMinutes(2));
    } finally {
      threads.dispose();
    }
    assertThat(distinct).hasSize(THREADS * EACH);
    assertThat(mostInFlight).hasValue(1);
    assertThat(generator.snapshot().issued()).isEqualTo(THREADS * EACH);
    assertThat(counted.reservations()).isBetween(1L, (long) THREADS * EACH / 2);
  }

  private static Flux<Long> one(SequenceGenerator generator) {
    return generator.next().repeat(EACH - 1);
  }

  private static Flux<Long> stream(SequenceGenerator generator) {
    return generator.values().take(EACH).limitRate(7);
  }
}
