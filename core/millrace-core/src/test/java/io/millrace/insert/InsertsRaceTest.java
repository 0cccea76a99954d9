package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;

/** Source, writers, timer and subscriber on threads of their own, in random settings. */
class InsertsRaceTest {

  private static final int TRIALS = 300;
  private static final int ROWS = 200;

  /** Commits every group on one of several threads. */
  private static final FunctionWriter PARALLEL =
      new FunctionWriter(
          group -> FunctionWriter.committed(group).subscribeOn(Schedulers.parallel()));

  /** Asks for a few rows at a time, and may cancel. */
  private static final class RandomSubscriber extends BaseSubscriber<Integer> {

    final Queue<Integer> received = new ConcurrentLinkedQueue<>();
    final CountDownLatch ended = new CountDownLatch(1);
    private final Random random;
    private final int cancelAfter;
    private final AtomicLong held;

    RandomSubscriber(long seed, int cancelAfter, AtomicLong held) {
      this.random = new Random(seed);
      this.cancelAfter = cancelAfter;
      this.held = held;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    protected void hookOnNext(Integer row) {
      held.decrementAndGet();
      received.add(row);
      if (received.size() == cancelAfter) {
        Schedulers.parallel().schedule(this::cancel);
      }
      int more = random.nextInt(3);
      Schedulers.parallel().schedule(() -> request(1));
      if (more > 0) {
        request(more);
      }
    }

    @Override
    protected void hookFinally(SignalType type) {
      ended.countDown();
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void everyRowIsEmittedOnceOrDiscardedOnceAndTheBoundHolds(boolean ordered, boolean cancelled)
      throws InterruptedException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int trial = 0; trial < TRIALS; trial++) {
      int groupSize = 1 + random.nextInt(8);
      int concurrency = 1 + random.nextInt(4);
      int shards = 1 + random.nextInt(3);
      String setting =
          String.format(
              "seed %d, trial %d: %d * %d, %d shards", seed, trial, groupSize, concurrency, shards);
      AtomicLong held = new AtomicLong();
      AtomicLong mostHeld = new AtomicLong();
      Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
      Queue<Integer> discarded = new ConcurrentLinkedQueue<>();
      TestInserts inserts =
          new TestInserts(PARALLEL)
              .groupSize(groupSize)
              .concurrency(concurrency)
              .maxDelay(Duration.ofNanos(random.nextInt(200_000)))
              .groupedBy(row -> row % shards);
      if (ordered) {
        inserts.ordered();
      }
      RandomSubscriber subscriber =
          new RandomSubscriber(
              random.nextLong(), cancelled ? 1 + random.nextInt(ROWS / 2) : -1, held);

      Flux.range(0, ROWS)
          .doOnNext(arrived::add)
          .doOnNext(row -> mostHeld.accumulateAndGet(held.incrementAndGet(), Math::max))
          .subscribeOn(Schedulers.parallel())
          .transform(inserts.rows())
          .doOnDiscard(Integer.class, discarded::add)
          .subscribe(subscriber);

      assertThat(subscriber.ended.await(30, TimeUnit.SECONDS)).as(setting).isTrue();
      assertThat(mostHeld.get()).as(setting).isBetween(1L, (long) groupSize * (concurrency + 1));
      if (!cancelled) {
        assertThat(subscriber.received).as(setting).hasSize(ROWS);
        assertThat(discarded).as(setting).isEmpty();
      }
      awaitAll(setting, arrived, subscriber.received, discarded);
      if (ordered) {
        for (int each = 0; each < shards; each++) {
          int shard = each;
          assertThat(subscriber.received.stream().filter(row -> row % shards == shard).toList())
              .as(setting)
              .isSorted();
        }
      }
    }
  }

  /** A cancel may come while another thread runs the drain loop; that thread then discards. */
  private static void awaitAll(
      String setting, Queue<Integer> arrived, Queue<Integer> received, Queue<Integer> discarded) {
    Awaitility.await(setting)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              List<Integer> all = new ArrayList<>(received);
              all.addAll(discarded);
              assertThat(all)
                  .hasSameSizeAs(arrived)
                  .containsExactlyInAnyOrderElementsOf(
                      IntStream.range(0, arrived.size()).boxed().toList());
            });
  }
}
