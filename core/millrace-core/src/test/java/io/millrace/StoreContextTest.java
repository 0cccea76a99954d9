package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import io.millrace.test.contract.Tenants;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * With automatic context propagation, what belongs to the generator sees no subscriber's
 * thread-locals, and what belongs to a subscriber sees its own.
 */
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
  void theStoreAndTheRecorderSeeNoSubscribersThreadLocals(Setting setting) {
    memory.latency(Duration.ofMillis(1), scheduler);
    SequenceGenerator generator =
        setting
            .builder(new SeeingStore(), "s", 1_000)
            .createMissing(1)
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 10)
            .reservationTimeout(Duration.ofMillis(200))
            .scheduler(scheduler)
            .metrics(new SeeingRecorder())
            .build();
    tenants.enter("alice");
    generator.next().block(LIMIT); // first
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
    assertThat(seen.keySet())
        .contains("reserve", "reserve subscribed", "cancel", "opened", "reserved")
        .contains("reservationFailed", "waited", "closed");
    assertThat(seen.keySet())
        .containsAll(setting == Setting.ORDERED ? List.of("state", "create") : List.of("release"));
    assertThat(seen.values()).allSatisfy(tenants -> assertThat(tenants).containsOnly("none"));
    assertThat(tenants.current()).as("of the subscriber's own thread").isEqualTo("alice");
  }

  private static void take(SequenceGenerator generator, int count) {
    assertThat(generator.values().take(count).collectList().block(LIMIT)).hasSize(count);
  }

  @Test
  void aRecorderThatIsToldOnTheSubscribersThreadSeesNoThreadLocals() {
    SequenceGenerator generator =
        SequenceGenerator.builder(new SeeingStore(), "s")
            .batchSize(10)
            .lowWatermark(1)
            .maxWaiters(0)
            .scheduler(scheduler)
            .metrics(new SeeingRecorder())
            .build();
    tenants.enter("alice");
    generator.next().onErrorComplete().block(LIMIT);
    assertThat(seen.get("waiterRejected")).containsExactly("none");
    assertThat(tenants.current()).isEqualTo("alice");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatComesLateIsSeenByEachSubscriberWithItsOwnThreadLocals(boolean deliverOn) {
    Scheduler other = Schedulers.newSingle("delivery");
    HeldStore held = new HeldStore();
    SequenceGeneratorBuilder builder =
        SequenceGenerator.builder(held, "s")
            .batchSize(50)
            .acquireTimeout(LIMIT)
            .reservationTimeout(Duration.ZERO)
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1)
            .scheduler(scheduler);
    if (deliverOn) {
      builder.deliverOn(other);
    }
    SequenceGenerator generator = builder.build();

    subscribers(generator);
    answerAs("mallory", held::answer);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(seen.get("value")).hasSize(9));

    generator.values().take(41).blockLast(LIMIT);
    subscribers(generator);
    answerAs("mallory", () -> held.fail(new IOException("on purpose")));
    await().atMost(LIMIT).untilAsserted(() -> assertThat(seen.get("error")).hasSize(9));

    subscribers(builder.acquireTimeout(Duration.ofMillis(100)).build());
    await().atMost(LIMIT).untilAsserted(() -> assertThat(seen.get("timeout")).hasSize(9));

    assertThat(seen)
        .containsOnlyKeys("value", "error", "timeout")
        .allSatisfy(
            (kind, tenants) ->
                assertThat(tenants)
                    .containsExactlyInAnyOrder(
                        "alice 1 alice",
                        "alice 2 alice",
                        "alice 3 alice",
                        "bob 1 bob",
                        "bob 2 bob",
                        "bob 3 bob",
                        "none 1 none",
                        "none 2 none",
                        "none 3 none"));
    other.dispose();
  }

  private void answerAs(String tenant, java.util.function.BooleanSupplier answer) {
    tenants.enter(tenant);
    await().atMost(LIMIT).until(answer::getAsBoolean);
    tenants.leave();
  }

  /** Nine, of which each notes what it gets: a value, an error, or that it waited for too long. */
  private void subscribers(SequenceGenerator generator) {
    for (String tenant : new String[] {"alice", "none", "bob"}) {
      Mono<Long> one = generator.next();
      Mono<Long> two = generator.next(1).map(list -> list.get(0));
      Mono<Long> three = generator.values().take(1).next();
      int number = 1;
      for (Mono<Long> each : List.of(one, two, three)) {
        String label = tenant + " " + number++ + " ";
        each.doOnNext(value -> sees("value", label))
            .doOnError(
                failure ->
                    sees(failure instanceof SequenceTimeoutException ? "timeout" : "error", label))
            .onErrorComplete()
            .contextWrite(
                context ->
                    tenant.equals("none") ? context : context.putAll(tenants.of(tenant).readOnly()))
            .subscribe();
      }
    }
  }

  private void sees(String what, String label) {
    seen.computeIfAbsent(what, key -> new CopyOnWriteArrayList<>()).add(label + tenants.current());
  }

  private void sees(String what) {
    sees(what, "");
  }

  private final class SeeingStore extends DelegatingSequenceStore {

    SeeingStore() {
      super(memory);
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      sees("reserve");
      return super.reserve(request)
          .doOnSubscribe(subscription -> sees("reserve subscribed"))
          .doOnCancel(() -> sees("cancel"));
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

  private final class SeeingRecorder implements SequenceMetricsRecorder {

    @Override
    public void opened(SequenceGenerator generator) {
      sees("opened");
    }

    @Override
    public void closed(SequenceGenerator generator) {
      sees("closed");
    }

    @Override
    public void reserved(String sequence, long size, long nanos) {
      sees("reserved");
    }

    @Override
    public void reservationFailed(String sequence, long nanos, Throwable failure) {
      sees("reservationFailed");
    }

    @Override
    public void waited(String sequence, long nanos) {
      sees("waited");
    }

    @Override
    public void waiterRejected(String sequence) {
      sees("waiterRejected");
    }

    @Override
    public void discarded(String sequence, long count) {
      sees("discarded");
    }

    @Override
    public void released(String sequence, long count) {
      sees("released");
    }
  }
}
