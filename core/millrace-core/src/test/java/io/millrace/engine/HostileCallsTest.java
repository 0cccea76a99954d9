package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.DelegatingSequenceStore;
import io.millrace.InlineScheduler;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceState;
import io.millrace.Setting;
import io.millrace.StoreAccounts;
import io.millrace.test.InMemorySequenceStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Whatever is thrown from a call that the engine makes, at whichever of the calls, the generator
 * lives on: those who wait are answered, later ones get values, and the accounts add up.
 */
class HostileCallsTest {

  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
  private static final int MOST_CALLS = 7;

  /** A call out of the engine. */
  private enum Site {
    RESERVE,
    RESERVE_SUBSCRIBE,
    RELEASE,
    RELEASE_SUBSCRIBE,
    STATE,
    SCHEDULE,
    SCHEDULE_LATER,
    RECORDER,
    ON_SUBSCRIBE,
    ON_NEXT,
    ON_ERROR,
    ON_COMPLETE,
    DELIVER_ON
  }

  private static final List<Supplier<RuntimeException>> THROWN =
      List.of(
          () -> new IllegalStateException("on purpose"), () -> new RejectedExecutionException());

  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");

  private final Level level = ROOT.getLevel();

  @BeforeEach
  void logNothing() {
    ROOT.setLevel(Level.OFF);
  }

  @AfterEach
  void logAgain() {
    ROOT.setLevel(level);
  }

  @ParameterizedTest
  @EnumSource
  void aGeneratorOutlivesWhateverIsThrownAtIt(Site site) {
    int fired = 0;
    for (Setting setting : Setting.values()) {
      if (setting != Setting.LARGE_ASYNCHRONOUS_BATCH) {
        fired += aGeneratorOutlives(site, setting, true) + aGeneratorOutlives(site, setting, false);
      }
    }
    assertThat(fired).as("how often something was thrown").isGreaterThan(4 * THROWN.size());
  }

  private static int aGeneratorOutlives(Site site, Setting setting, boolean inline) {
    int fired = 0;
    for (Supplier<RuntimeException> thrown : THROWN) {
      for (int first = 1; first <= MOST_CALLS; first++) {
        for (int times : new int[] {1, 3}) {
          fired += new Run(site, setting, inline, thrown, first, times).survive();
        }
      }
    }
    return fired;
  }

  /** One generator's life. */
  private static final class Run {

    private final Site site;
    private final Supplier<RuntimeException> thrown;
    private final int first;
    private final int times;
    private final String name;

    private boolean armed;
    private int calls;
    private int fired;

    private final InlineScheduler clock = new InlineScheduler();
    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    private final StoreAccounts accounts = new StoreAccounts();
    private final BufferedSequenceGenerator generator;
    private final List<Taker> takers = new ArrayList<>();

    Run(
        Site site,
        Setting setting,
        boolean inline,
        Supplier<RuntimeException> thrown,
        int first,
        int times) {
      this.site = site;
      this.thrown = thrown;
      this.first = first;
      this.times = times;
      this.name =
          site
              + " "
              + setting
              + (inline ? " inline " : " ")
              + thrown.get()
              + " at call "
              + first
              + " x"
              + times;
      SequenceGeneratorBuilder builder =
          setting
              .builder(new FaultyStore(), "s", 20)
              .scheduler(new FaultyScheduler(Site.SCHEDULE, inline))
              .acquireTimeout(Duration.ofSeconds(20))
              .reservationTimeout(Duration.ofMillis(50))
              .backoff(Duration.ofMillis(1), Duration.ofMillis(4), 0, 2)
              .metrics(faultyRecorder());
      if (site == Site.DELIVER_ON) {
        builder.deliverOn(new FaultyScheduler(Site.DELIVER_ON, inline));
      }
      this.generator = (BufferedSequenceGenerator) builder.build();
    }

    int survive() {
      armed = true;
      use();
      quietly(() -> generator.warmup().subscribe());
      pass(100);
      store.hangNextReservations(1);
      use();
      pass(100);
      store.failNextReservations(3, new TimeoutException("on purpose"));
      use();
      pass(100);
      armed = false;
      pass(30_000);
      assertThat(takers.stream().filter(taker -> !taker.isOver())).as(name).isEmpty();
      checkHealthy();
      AtomicBoolean ended = new AtomicBoolean();
      quietly(
          () ->
              generator
                  .disposeLater()
                  .subscribe(nothing -> {}, error -> {}, () -> ended.set(true)));
      pass(1_000);
      assertThat(ended).as(name).isTrue();
      checkAccounts();
      return fired;
    }

    /** Every kind of subscriber; some leave, each on a thread that outlives what it is thrown. */
    private void use() {
      for (int i = 0; i < 4; i++) {
        take(generator.next(), 1);
        take(generator.values().take(7), 7);
        takeList(5);
        Taker leaving = take(generator.next(), 1);
        quietly(leaving::cancel);
        Taker left = take(generator.values(), 9);
        pass(2);
        quietly(left::cancel);
      }
    }

    private void checkHealthy() {
      armed = false;
      Taker later = take(generator.next(), 1);
      Taker stream = take(generator.values().take(30), 30);
      pass(30_000);
      assertThat(later.received).as(name).hasSize(1);
      assertThat(stream.received).as(name).hasSize(30);
      take(generator.next(), 1);
      pass(30_000);
      armed = true; // for what the shutdown calls
    }

    private void checkAccounts() {
      List<Long> received = takers.stream().flatMap(taker -> taker.received.stream()).toList();
      assertThat(received).as(name).doesNotHaveDuplicates();
      assertThat(generator.snapshot().waiters()).as(name).isZero();
      assertThat(generator.queueLength()).as(name).isZero();
      assertThat(accounts.faultOf(generator, received.size())).as(name).isEmpty();
    }

    private Taker take(org.reactivestreams.Publisher<Long> source, long demand) {
      Taker taker = new Taker(demand);
      takers.add(taker);
      taker.threw = !quietly(() -> source.subscribe(taker));
      return taker;
    }

    private void takeList(int count) {
      Taker taker = new Taker(count);
      taker.takesLists = true;
      takers.add(taker);
      taker.threw =
          !quietly(() -> generator.next(count).flatMapIterable(list -> list).subscribe(taker));
    }

    /** Time passes, step by step, and whatever is thrown on the clock's thread. */
    private void pass(long milliseconds) {
      long step = milliseconds > 1_000 ? 500 : 1;
      for (long at = 0; at < milliseconds; at += step) {
        quietly(() -> clock.advance(step * MILLISECOND));
      }
    }

    private boolean quietly(Runnable action) {
      try {
        action.run();
        return true;
      } catch (Throwable expected) {
        return false;
      }
    }

    private void call(Site at) {
      if (armed && at == site) {
        calls++;
        if (calls >= first && calls < first + times) {
          fired++;
          throw thrown.get();
        }
      }
    }

    private final class Taker implements CoreSubscriber<Long> {

      private final long demand;
      private final List<Long> received = new ArrayList<>();
      private @Nullable Subscription subscription;
      private boolean over;
      private boolean threw;
      private boolean takesLists;

      Taker(long demand) {
        this.demand = demand;
      }

      /** Got what it asked for or an error, left, or was thrown something itself. */
      boolean isOver() {
        return over || threw || received.size() >= demand;
      }

      void cancel() {
        over = true;
        Subscription current = subscription;
        if (current != null) {
          current.cancel();
        }
      }

      @Override
      public String toString() {
        return demand + " asked for, received " + received;
      }

      @Override
      public void onSubscribe(Subscription s) {
        subscription = s;
        call(Site.ON_SUBSCRIBE);
        s.request(demand);
      }

      @Override
      public void onNext(Long value) {
        received.add(value);
        if (!takesLists) { // an operator loses what is left of a list
          int before = fired;
          try {
            call(Site.ON_NEXT);
          } finally {
            threw |= fired > before;
          }
        }
      }

      @Override
      public void onError(Throwable failure) {
        over = true;
        call(Site.ON_ERROR);
      }

      @Override
      public void onComplete() {
        over = true;
        call(Site.ON_COMPLETE);
      }
    }

    private final class FaultyStore extends DelegatingSequenceStore {

      FaultyStore() {
        super(accounts.over(store));
      }

      @Override
      public Mono<SequenceBlock> reserve(ReservationRequest request) {
        call(Site.RESERVE);
        return faulty(super.reserve(request), Site.RESERVE_SUBSCRIBE);
      }

      @Override
      public Mono<Boolean> release(String sequence, SequenceBlock tail) {
        call(Site.RELEASE);
        return faulty(super.release(sequence, tail), Site.RELEASE_SUBSCRIBE);
      }

      @Override
      public Mono<SequenceState> state(String sequence) {
        call(Site.STATE);
        return faulty(super.state(sequence), Site.STATE);
      }

      @Override
      public boolean isReleasable() {
        return true;
      }

      private <T> Mono<T> faulty(Mono<T> source, Site atSubscribe) {
        return new Mono<T>() {
          @Override
          public void subscribe(CoreSubscriber<? super T> actual) {
            call(atSubscribe);
            source.subscribe(actual);
          }
        };
      }
    }

    private final class FaultyScheduler implements Scheduler {

      private final Site at;
      private final boolean inline;

      FaultyScheduler(Site at, boolean inline) {
        this.at = at;
        this.inline = inline;
      }

      @Override
      public Disposable schedule(Runnable task) {
        call(at);
        return inline ? clock.schedule(task) : clock.schedule(task, 0, TimeUnit.NANOSECONDS);
      }

      @Override
      public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        call(Site.SCHEDULE_LATER);
        return clock.schedule(task, delay, unit);
      }

      @Override
      public long now(TimeUnit unit) {
        return clock.now(unit);
      }

      @Override
      public Worker createWorker() {
        return clock.createWorker();
      }
    }

    /** Counts, and then throws. */
    private SequenceMetricsRecorder faultyRecorder() {
      return (SequenceMetricsRecorder)
          Proxy.newProxyInstance(
              HostileCallsTest.class.getClassLoader(),
              new Class<?>[] {SequenceMetricsRecorder.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("discarded") || method.getName().equals("released")) {
                  method.invoke(accounts.recorder(), arguments);
                }
                call(Site.RECORDER);
                return null;
              });
    }
  }
}
