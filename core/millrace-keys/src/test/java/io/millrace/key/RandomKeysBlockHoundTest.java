package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

/** The functions that need randomness, on threads that must not block. */
@Tag("blockhound")
class RandomKeysBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int STREAMS = 8;
  private static final int KEYS = 5_000;
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

  private static void onParallel(Mono<?> work) {
    StepVerifier.create(work.subscribeOn(Schedulers.parallel()).then())
        .expectComplete()
        .verify(LIMIT);
  }

  private static Set<Object> distinct(KeyFunction<Object, ?> function) {
    Set<Object> keys = ConcurrentHashMap.newKeySet();
    onParallel(
        Flux.range(0, STREAMS)
            .flatMap(
                stream ->
                    Flux.range(0, KEYS)
                        .map(function)
                        .doOnNext(keys::add)
                        .subscribeOn(Schedulers.parallel()),
                STREAMS)
            .then());
    return keys;
  }

  @Test
  void aBlockingCallIsRecordedSoTheOtherTestsProveSomething() {
    onParallel(Mono.fromRunnable(() -> LockSupport.parkNanos(1)));
    assertThat(BLOCKED).isNotEmpty().first().asString().contains("parallel-", "park");
  }

  @Test
  void seedingMayBlockSoItIsDoneBefore() {
    onParallel(Mono.fromCallable(RandomUuids::create));
    assertThat(BLOCKED).isNotEmpty();
  }

  @Test
  void uuidsBlockNobody() {
    assertThat(distinct(RandomUuids.create())).hasSize(STREAMS * KEYS);
    assertThat(BLOCKED).isEmpty();
  }

  @Test
  void saltsBlockNobody() {
    assertThat(distinct(Salt.below(100))).hasSize(100);
    assertThat(BLOCKED).isEmpty();
  }
}
