package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Thrown;
import io.millrace.insert.spi.PreparedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A call that the loop of an insert pipeline makes throws. Then every row is emitted as committed,
 * rejected or unknown, or is discarded. The subscriber receives a terminal signal, writers and
 * timers are stopped, and no thread stays in the loop forever.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class InsertsThrownTest {

  private static final int ROWS = 12;

  /** The call that throws, at its second time or its only time. */
  private enum Call {
    PREPARE,
    CELLS,
    BYTES,
    SHARD,
    SHARD_HASH,
    SHARD_EQUALS,
    WRITE,
    WRITE_SUBSCRIBE,
    WRITE_REQUEST,
    WRITE_CANCEL,
    OUTCOMES,
    NOW,
    SCHEDULE,
    TIMER_DISPOSE,
    SOURCE_REQUEST,
    SOURCE_CANCEL,
    ON_NEXT,
    ON_ERROR,
    ON_COMPLETE,
    DISCARD_HOOK
  }

  static Stream<Arguments> everyCall() {
    return Stream.of(Call.values())
        .flatMap(call -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(call, thrown)));
  }

  private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> discarded = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger timers = new AtomicInteger();
  private final AtomicInteger sourceCancels = new AtomicInteger();

  private Call where = Call.PREPARE;
  private Thrown thrown = Thrown.EXCEPTION;

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  private void at(Call call) {
    if (call == where && calls.incrementAndGet() == 1) {
      thrown.go();
    }
  }

  private final class Row implements PreparedRow<Integer> {

    private final Integer row;

    Row(Integer row) {
      this.row = row;
    }

    @Override
    public Integer row() {
      return row;
    }

    @Override
    public long cells() {
      at(Call.CELLS);
      return 1;
    }

    @Override
    public long bytes() {
      at(Call.BYTES);
      return 1;
    }
  }

  private final class Shard {

    private final int number;

    Shard(int number) {
      this.number = number;
    }

    @Override
    public int hashCode() {
      at(Call.SHARD_HASH);
      return 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      at(Call.SHARD_EQUALS);
      return other instanceof Shard shard && shard.number == number;
    }
  }

  /** Commits a group when it is subscribed to, or never. */
  private final class Writer implements GroupWriter<Integer, Row> {

    private final boolean hangs;

    Writer(boolean hangs) {
      this.hangs = hangs;
    }

    @Override
    public Row prepare(Integer row) {
      at(Call.PREPARE);
      return new Row(row);
    }

    @Override
    public Mono<List<InsertOutcome<Integer>>> write(List<Row> group, BitSet joined) {
      at(Call.WRITE);
      return new Mono<>() {
        @Override
        public void subscribe(CoreSubscriber<? super List<InsertOutcome<Integer>>> actual) {
          at(Call.WRITE_SUBSCRIBE);
          running.incrementAndGet();
          actual.onSubscribe(
              new Subscription() {
                private boolean over;

                @Override
                public void request(long n) {
                  at(Call.WRITE_REQUEST);
                  if (hangs || over) {
                    return;
                  }
                  over = true;
                  running.decrementAndGet();
                  actual.onNext(new Outcomes(group));
                  actual.onComplete();
                }

                @Override
                public void cancel() {
                  if (!over) {
                    over = true;
                    running.decrementAndGet();
                  }
                  at(Call.WRITE_CANCEL);
                }
              });
        }
      };
    }
  }

  private final class Outcomes extends java.util.AbstractList<InsertOutcome<Integer>> {

    private final List<Row> group;

    Outcomes(List<Row> group) {
      this.group = group;
    }

    @Override
    public InsertOutcome<Integer> get(int index) {
      at(Call.OUTCOMES);
      return HandWriter.committed(group.get(index).row());
    }

    @Override
    public int size() {
      return group.size();
    }
  }

  private final class Clock implements Scheduler {

    @Override
    public Disposable schedule(Runnable task) {
      throw new AssertionError("only timers are scheduled");
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      at(Call.SCHEDULE);
      Disposable timer = Schedulers.parallel().schedule(task, delay, unit);
      timers.incrementAndGet();
      return () -> {
        timer.dispose();
        timers.decrementAndGet();
        at(Call.TIMER_DISPOSE);
      };
    }

    @Override
    public long now(TimeUnit unit) {
      at(Call.NOW);
      return unit.convert(System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public Worker createWorker() {
      throw new AssertionError("only timers are scheduled");
    }
  }

  private final class Source extends Flux<Integer> implements Subscription {

    private @Nullable CoreSubscriber<? super Integer> actual;
    private int emitted;

    @Override
    public void subscribe(CoreSubscriber<? super Integer> subscriber) {
      actual = subscriber;
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
      at(Call.SOURCE_REQUEST);
    }

    @Override
    public void cancel() {
      sourceCancels.incrementAndGet();
      at(Call.SOURCE_CANCEL);
    }

    CoreSubscriber<? super Integer> subscriber() {
      return Objects.requireNonNull(actual);
    }

    void emit(int rows) {
      for (int i = 0; i < rows; i++) {
        subscriber().onNext(++emitted);
      }
    }
  }

  private final class Receiver implements CoreSubscriber<InsertOutcome<Integer>> {

    private final List<Integer> received = new ArrayList<>();
    private final Queue<Object> ends = new ConcurrentLinkedQueue<>();
    private @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription own) {
      subscription = own;
      own.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(InsertOutcome<Integer> outcome) {
      synchronized (received) {
        received.add(outcome.row());
      }
      at(Call.ON_NEXT);
    }

    @Override
    public void onError(Throwable failure) {
      ends.add(failure);
      at(Call.ON_ERROR);
    }

    @Override
    public void onComplete() {
      ends.add("completed");
      at(Call.ON_COMPLETE);
    }

    void cancel() {
      Objects.requireNonNull(subscription).cancel();
    }

    int count() {
      synchronized (received) {
        return received.size();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void everyRowIsAccountedForAndTheStreamEnds(Call call, Thrown what) {
    where = call;
    thrown = what;
    Hooks.onErrorDropped(dropped::add);
    boolean cancels =
        switch (call) {
          case SOURCE_CANCEL, WRITE_CANCEL, TIMER_DISPOSE, DISCARD_HOOK -> true;
          default -> false;
        };
    Source source = new Source();
    Receiver receiver = new Receiver();
    source
        .transform(
            new TestInserts(new Writer(cancels))
                .groupSize(3)
                .concurrency(4)
                .scheduler(new Clock())
                .maxDelay(Duration.ofHours(1))
                .groupedBy(
                    row -> {
                      at(Call.SHARD);
                      return new Shard(row % 2);
                    })
                .outcomes())
        .doOnDiscard(
            Integer.class,
            row -> {
              discarded.add(row);
              at(Call.DISCARD_HOOK);
            })
        .subscribe(receiver);

    source.emit(ROWS - 1);
    if (cancels) {
      receiver.cancel();
    }
    source.emit(1);
    if (call == Call.ON_ERROR) {
      source.subscriber().onError(new IllegalStateException("source"));
    } else {
      source.subscriber().onComplete();
    }

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              assertThat(calls.get()).as("calls that throw").isPositive();
              assertThat(receiver.ends).hasSize(cancels ? 0 : 1);
              assertThat(receiver.count() + discarded.size()).isEqualTo(ROWS);
              assertThat(running).hasValue(0);
            });
    assertThat(timers.get()).isLessThanOrEqualTo(1); // one that has not fired is disposed of
    Object end = receiver.ends.peek();
    if (end instanceof Throwable failure && call != Call.ON_ERROR) {
      assertThat(what.is(failure)).isTrue();
      assertThat(sourceCancels.get()).isPositive();
    }
  }
}
