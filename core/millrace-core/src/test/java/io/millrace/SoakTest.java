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
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Schedulers;

/**
 * Subscribers that come, ask, and leave at random, on several threads, over a store that fails at
 * random. Whatever happens, each value goes to one of them at the most, and the accounts hold.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class SoakTest {

  private static final int THREADS = 4;
  private static final int OPERATIONS = 5_000;
  private static final int SHORT_LIVES = 100;
  private static final int FEW_OPERATIONS = 20;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofNanos(50_000));

  @AfterEach
  void endThreads() {
    threads.shutdown();
  }

  @ParameterizedTest
  @EnumSource
  void theAccountsHoldWhateverSubscribersDo(Setting setting) throws Exception {
    assertThat(soak(setting, impatient(), OPERATIONS)).isGreaterThan(OPERATIONS / 10);
  }

  @ParameterizedTest
  @EnumSource
  void theAccountsHoldWhenValuesAreDeliveredElsewhere(Setting setting) throws Exception {
    assertThat(soak(setting, elsewhere(impatient()), OPERATIONS)).isGreaterThan(OPERATIONS / 10);
  }

  /** Many short lives, since later subscribers would hide that one was forgotten. */
  @ParameterizedTest
  @EnumSource
  void everyRequestIsServedInTheEnd(Setting setting) throws Exception {
    for (int life = 0; life < SHORT_LIVES; life++) {
      soak(setting, patient(), FEW_OPERATIONS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRequestIsServedInTheEndWhenValuesAreDeliveredElsewhere(Setting setting)
      throws Exception {
    for (int life = 0; life < SHORT_LIVES; life++) {
      soak(setting, elsewhere(patient()), FEW_OPERATIONS);
    }
  }

  private static UnaryOperator<SequenceGeneratorBuilder> impatient() {
    return options -> options.acquireTimeout(Duration.ofMillis(2));
  }

  /** No timeout and no other timer ends the wait of a subscriber. */
  private static UnaryOperator<SequenceGeneratorBuilder> patient() {
    return options ->
        options.acquireTimeout(Duration.ZERO).scheduler(new ShortDelays(Schedulers.parallel()));
  }

  private static UnaryOperator<SequenceGeneratorBuilder> elsewhere(
      UnaryOperator<SequenceGeneratorBuilder> more) {
    return options -> more.apply(options).deliverOn(Schedulers.parallel());
  }

  /** Returns how many values were issued. */
  private int soak(Setting setting, UnaryOperator<SequenceGeneratorBuilder> options, int operations)
      throws Exception {
    StoreAccounts accounts = new StoreAccounts();
    SequenceGenerator generator =
        options
            .apply(
                setting
                    .builder(accounts.over(store), "s")
                    .metrics(accounts.recorder())
                    .maxWaiters(50)
                    .backoff(Duration.ofMillis(1), Duration.ofMillis(2), 0.5, 2))
            .build();
    long seed = System.nanoTime();
    List<SoakSubscriber> all = new ArrayList<>();
    List<CompletableFuture<List<SoakSubscriber>>> runs = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      runs.add(CompletableFuture.supplyAsync(() -> run(generator, random, operations), threads));
    }
    for (CompletableFuture<List<SoakSubscriber>> run : runs) {
      all.addAll(run.get());
    }
    soon().until(() -> generator.snapshot().unmetDemand() == 0);
    all.forEach(SoakSubscriber::leave);
    soon() // a loop may still hold values that it has claimed for a subscriber that left
        .untilAsserted(
            () -> {
              assertThat(isQuiet(generator)).isTrue();
              assertThat(accounts.faultOf(generator, checkValues(all)))
                  .as("%s, seed %d", setting, seed)
                  .isEmpty();
            });
    int issued = checkValues(all);

    generator.disposeLater().block(LIMIT);
    // Some failures of the script may be left for it.
    Long following = setting.builder(store, "s").build().next().retry().block(LIMIT);
    assertThat(all).allSatisfy(each -> assertThat(each.received()).doesNotContain(following));
    assertThat(generator.snapshot().buffered()).isZero();
    assertThat(generator.snapshot().issued()).isEqualTo(issued);
    return issued;
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread();
  }

  private List<SoakSubscriber> run(SequenceGenerator generator, Random random, int operations) {
    List<SoakSubscriber> mine = new ArrayList<>();
    mine.add(SoakSubscriber.toValues(generator));
    for (int i = 0; i < operations; i++) {
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
