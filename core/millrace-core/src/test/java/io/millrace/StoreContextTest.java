package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** With automatic context propagation, the store sees no subscriber's ThreadLocals. */
class StoreContextTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension final Tenants tenants = new Tenants();

  private final Scheduler scheduler = Schedulers.newParallel("engine", 1);
  private final InMemorySequenceStore memory = InMemorySequenceStore.withSequence("s", 1);

  /** What each call saw, by its name; "none" for nothing. */
  private final Map<String, List<String>> seen = new ConcurrentHashMap<>();

  @AfterEach
  void tidyUp() {
    scheduler.dispose();
  }

  @ParameterizedTest
  @EnumSource
  void theStoreSeesNoSubscribersThreadLocals(Setting setting) {
    memory.latency(Duration.ofMillis(1), scheduler);
    SequenceGenerator generator =
        setting
            .builder(new SeeingStore(), "s", 1_000)
            .createMissing(1)
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 10)
            .reservationTimeout(Duration.ofMillis(200))
            .scheduler(scheduler)
            .build();
    tenants.enter("alice");
    generator.next().contextWrite(Context.of("user", "ada")).block(LIMIT); // first
    memory.failNextReservations(2, new IOException("on purpose"));
    take(generator, 1_200); // prefetch, and retry
    memory.hangNextReservations(1);
    take(generator, 1_200); // timeout
    generator.warmup().block(LIMIT);
    generator.values().take(5).subscribe().dispose();
    SequenceGenerator creating =
        setting
            .builder(new SeeingStore(), "new", 1_000)
            .createMissing(1)
            .scheduler(scheduler)
            .build();
    creating.warmup().block(LIMIT);
    generator.disposeLater().block(LIMIT);
    assertThat(seen.keySet()).contains("reserve", "reserve subscribed", "cancel");
    assertThat(seen.keySet())
        .containsAll(setting == Setting.ORDERED ? List.of("state", "create") : List.of("release"));
    assertThat(seen.values()).allSatisfy(tenants -> assertThat(tenants).containsOnly("none"));
    assertThat(tenants.current()).as("of the subscriber's own thread").isEqualTo("alice");
  }

  private static void take(SequenceGenerator generator, int count) {
    assertThat(generator.values().take(count).collectList().block(LIMIT)).hasSize(count);
  }

  private void sees(String what) {
    seen.computeIfAbsent(what, key -> new CopyOnWriteArrayList<>()).add(tenants.current());
  }

  private final class SeeingStore extends DelegatingSequenceStore {

    SeeingStore() {
      super(memory);
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      sees("reserve");
      return Mono.deferContextual(
          context -> {
            assertThat(context.isEmpty()).as("of the subscriber: %s", context).isTrue();
            return super.reserve(request)
                .doOnSubscribe(subscription -> sees("reserve subscribed"))
                .doOnCancel(() -> sees("cancel"));
          });
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      sees("release");
      return super.release(sequence, tail).doOnSubscribe(subscription -> sees("release"));
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      sees("create");
      return super.create(sequence, startValue).doOnSubscribe(subscription -> sees("create"));
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      sees("state");
      return super.state(sequence).doOnSubscribe(subscription -> sees("state"));
    }
  }
}
