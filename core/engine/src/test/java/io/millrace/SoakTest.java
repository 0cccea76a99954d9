package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Schedulers;

/**
 * Subscribers that come, ask, and leave at random, on several threads, over a store that fails at
 * random. Whatever happens, each value goes to one of them at the most, and the accounts hold.
 */
class SoakTest {

  private static final int THREADS = 4;
  private static final int OPERATIONS = 5_000;

  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofNanos(50_000));

  @ParameterizedTest
  @EnumSource
  void theAccountsHoldWhateverSubscribersDo(Setting setting) throws Exception {
    soak(setting, builder(setting).build());
  }

  @ParameterizedTest
  @EnumSource
  void theAccountsHoldWhenValuesAreDeliveredElsewhere(Setting setting) throws Exception {
    soak(setting, builder(setting).deliverOn(Schedulers.parallel()).build());
  }

  private SequenceGeneratorBuilder builder(Setting setting) {
    return setting
        .builder(store, "s")
        .maxWaiters(50)
        .acquireTimeout(Duration.ofMillis(2))
        .backoff(Duration.ofMillis(1), Duration.ofMillis(2), 0.5, 2);
  }

  private void soak(Setting setting, SequenceGenerator generator) throws Exception {
    long seed = System.nanoTime();
    System.out.println("SoakTest " + setting + " seed " + seed);
    List<SoakSubscriber> all = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<CompletableFuture<List<SoakSubscriber>>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed + i);
        runs.add(CompletableFuture.supplyAsync(() -> run(generator, random), threads));
      }
      for (CompletableFuture<List<SoakSubscriber>> run : runs) {
        all.addAll(run.get());
      }
    } finally {
      threads.shutdown();
    }
    all.forEach(SoakSubscriber::leave);
    await().until(() -> isQuiet(generator));
    int issued = checkValues(all);
    assertThat(issued).isGreaterThan(OPERATIONS);
    SequenceGeneratorSnapshot end = generator.snapshot();
    assertThat(end.waiters()).isZero();
    assertThat(end.unmetDemand()).isZero();
    assertThat(end.issued()).as("issued, by %s", end).isEqualTo(issued);

    generator.disposeLater().block(Duration.ofSeconds(30));
    // Some failures of the script may be left for it.
    Long following = builder(setting).build().next().retry().block(Duration.ofSeconds(30));
    assertThat(all).allSatisfy(each -> assertThat(each.received()).doesNotContain(following));
    assertThat(generator.snapshot().buffered()).isZero();
    assertThat(generator.snapshot().issued()).isEqualTo(issued);
  }

  private List<SoakSubscriber> run(SequenceGenerator generator, Random random) {
    List<SoakSubscriber> mine = new ArrayList<>();
    mine.add(SoakSubscriber.toValues(generator));
    for (int i = 0; i < OPERATIONS; i++) {
      SoakSubscriber any = mine.get(Math.max(0, mine.size() - 1 - random.nextInt(20)));
      switch (random.nextInt(12)) {
        case 0, 1 -> mine.add(SoakSubscriber.toNext(generator));
        case 2 -> mine.add(SoakSubscriber.toList(generator, 1 + random.nextInt(30)));
        case 3 -> mine.add(SoakSubscriber.toValues(generator));
        case 4, 5, 6, 7 -> any.ask(1 + random.nextInt(random.nextInt(20) == 0 ? 2_000 : 20));
        case 8 -> any.leave();
        case 9 -> any.leaveAfter(random.nextInt(10));
        case 10 -> mine.add(SoakSubscriber.toNext(generator).awaitEnd());
        default -> disturb(random);
      }
    }
    return mine;
  }

  private void disturb(Random random) {
    IllegalStateException failure = new IllegalStateException("on purpose");
    switch (random.nextInt(200)) {
      case 0 -> store.failNextReservations(1 + random.nextInt(4), failure);
      case 1 -> store.loseNextReservationAnswers(1, failure);
      case 2 -> store.abortNextReservations(2);
      default -> {}
    }
  }

  private static boolean isQuiet(SequenceGenerator generator) {
    SequenceGeneratorSnapshot now = generator.snapshot();
    return now.waiters() == 0 && !now.reservationInFlight() && generator.snapshot().equals(now);
  }

  private static int checkValues(List<SoakSubscriber> all) {
    Set<Long> distinct = new HashSet<>();
    int issued = 0;
    for (SoakSubscriber each : all) {
      long before = 0;
      for (long value : each.received()) {
        assertThat(value).as("after another of one subscriber").isGreaterThan(before);
        before = value;
        assertThat(distinct.add(value)).as("%d is new", value).isTrue();
        issued++;
      }
      assertThat(each.terminations()).isLessThanOrEqualTo(1);
    }
    return issued;
  }
}
