package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

/** On which thread a value is delivered, and what of a subscriber reaches the store. */
class DeliveryTest {

  private static final Duration GUARD = Duration.ofSeconds(60);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  @Test
  void aBufferedValueIsDeliveredByTheThreadThatRequestsItAlsoWithASchedulerForOthers() {
    Scheduler deliverOn = Schedulers.newSingle("delivery");
    try {
      assertBufferedValuesAreDeliveredByThisThread(
          SequenceGenerator.builder(store, "s").deliverOn(deliverOn).build());
    } finally {
      deliverOn.dispose();
    }
  }

  private static void assertBufferedValuesAreDeliveredByThisThread(SequenceGenerator generator) {
    generator.warmup().block(GUARD);
    List<Thread> threads = new CopyOnWriteArrayList<>();
    generator.next().subscribe(value -> threads.add(Thread.currentThread()));
    generator.next(2).subscribe(values -> threads.add(Thread.currentThread()));
    generator.values().take(2).subscribe(value -> threads.add(Thread.currentThread()));
    assertThat(threads).hasSize(4).containsOnly(Thread.currentThread());
  }

  @ParameterizedTest
  @EnumSource
  void aValueThatHadToWaitIsDeliveredOnTheSchedulerThatWasAskedFor(Setting setting) {
    Scheduler deliverOn = Schedulers.newSingle("delivery");
    try {
      VirtualTimeScheduler time = VirtualTimeScheduler.create();
      store.latency(Duration.ofMillis(5), time);
      SequenceGenerator generator =
          setting.builder(store, "s", 1_000).scheduler(time).deliverOn(deliverOn).build();
      List<String> threads = new CopyOnWriteArrayList<>();
      for (int i = 0; i < 50; i++) {
        generator.next().subscribe(value -> threads.add(Thread.currentThread().getName()));
      }
      await().atMost(GUARD).until(() -> passes(time) && threads.size() == 50);
      assertThat(threads).allMatch(name -> name.startsWith("delivery"));
      List<String> streamed = new CopyOnWriteArrayList<>();
      generator
          .values()
          .take(3_000)
          .subscribe(value -> streamed.add(Thread.currentThread().getName()));
      await()
          .pollInterval(Duration.ofMillis(1)) // perhaps a reservation for each ten values
          .atMost(GUARD)
          .until(() -> passes(time) && streamed.size() == 3_000);
      assertThat(streamed)
          .as("at once on the thread that requests, else on the scheduler")
          .allMatch(
              name -> name.startsWith("delivery") || name.equals(Thread.currentThread().getName()))
          .anyMatch(name -> name.startsWith("delivery"));
      store.startOutage(new IOException("down"));
      AtomicReference<String> failedOn = new AtomicReference<>();
      SequenceGenerator failing =
          setting
              .builder(store, "s")
              .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1)
              .scheduler(time)
              .deliverOn(deliverOn)
              .build();
      failing
          .next()
          .subscribe(value -> {}, error -> failedOn.set(Thread.currentThread().getName()));
      await().atMost(GUARD).until(() -> passes(time) && failedOn.get() != null);
      assertThat(failedOn.get()).startsWith("delivery");
    } finally {
      deliverOn.dispose();
    }
  }

  /** Lets a request of the store pass, as often as asked: a delivery may start another one. */
  private static boolean passes(VirtualTimeScheduler time) {
    time.advanceTimeBy(Duration.ofMillis(5));
    return true;
  }

  @ParameterizedTest
  @EnumSource
  void anErrorOnItsWayIsNotSignalledAfterACancel(Setting setting) {
    ManualScheduler scheduler = new ManualScheduler();
    SequenceGenerator generator =
        setting.builder(new HeldStore(), "s").scheduler(scheduler).deliverOn(scheduler).build();
    Probe leaving = Probe.of(generator.next(), 1);
    Probe staying = Probe.of(generator.next(), 1);
    generator.dispose(); // which puts both errors in the scheduler's queue
    leaving.cancel();
    scheduler.runAll();
    assertThat(leaving.error).isNull();
    assertThat(staying.error).isInstanceOf(SequenceDisposedException.class);
  }

  @Test
  void noValueIsLostWhenTheDeliverySchedulerIsShutDown() {
    Scheduler deliverOn = Schedulers.newSingle("delivery");
    deliverOn.dispose();
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").deliverOn(deliverOn).build();
    assertThat(generator.next().block(GUARD)).isEqualTo(1);
  }

  @Test
  void theSubscribersContextIsThereForItsOwnOperators() {
    SequenceGenerator generator = SequenceGenerator.builder(store, "s").build();
    Mono<String> named =
        generator
            .next()
            .flatMap(
                value ->
                    Mono.deferContextual(
                        context -> Mono.just(context.<String>get("user") + value)));
    StepVerifier.create(named.contextWrite(Context.of("user", "ada")))
        .expectNext("ada1")
        .expectComplete()
        .verify(GUARD);
  }

  /** Store, engine and delivery run inside the request, so the grant meets a running request. */
  @Test
  void aGrantThatMeetsARunningRequestIsDeliveredOnTheScheduler() {
    InlineScheduler inline = new InlineScheduler();
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .blockSize(5)
            .scheduler(inline)
            .deliverOn(inline)
            .build();
    StepVerifier.create(generator.values(), 0)
        .thenRequest(12)
        .expectNext(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L)
        .thenCancel()
        .verify(GUARD);
  }
}
