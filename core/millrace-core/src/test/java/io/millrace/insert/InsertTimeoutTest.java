package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A database that does not answer, in virtual time. */
class InsertTimeoutTest {

  private static final Duration DEFAULT = Duration.ofSeconds(30);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger searches = new AtomicInteger();
  private final AtomicInteger cancels = new AtomicInteger();
  private final List<InsertOutcome<Integer>> outcomes = new ArrayList<>();

  /** What a commit that takes too long means; and the answers to commits and searches. */
  private Kind meaning = Kind.IN_DOUBT;

  private Mono<List<Committed<Integer>>> commit = Mono.never();
  private Mono<List<InsertOutcome<Integer>>> search = Mono.never();

  /** Timers that are set, and have neither run nor been cancelled. */
  private final AtomicInteger open = new AtomicInteger();

  private final class Counted implements Scheduler {

    @Override
    public Disposable schedule(Runnable task) {
      return time.schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      AtomicBoolean ended = new AtomicBoolean();
      open.incrementAndGet();
      Runnable end =
          () -> {
            if (!ended.getAndSet(true)) {
              open.decrementAndGet();
            }
          };
      Disposable timer =
          time.schedule(
              () -> {
                end.run();
                task.run();
              },
              delay,
              unit);
      return () -> {
        end.run();
        timer.dispose();
      };
    }

    @Override
    public long now(TimeUnit unit) {
      return time.now(unit);
    }

    @Override
    public Worker createWorker() {
      return time.createWorker();
    }
  }

  private final class Silent extends Inserts<Integer, Void, Silent>
      implements GroupTransactions<Integer, HandWriter.Row> {

    private TimeLimit limit = TimeLimit.NONE;

    Silent() {
      super(1_000, 1_000, 1_000);
      scheduler(new Counted());
      retries(2, Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @Override
    protected GroupTransactions<Integer, ?> transactions(
        int groupSize, long maxCells, long maxBytes, TimeLimit given) {
      limit = given;
      return this;
    }

    @Override
    public HandWriter.Row prepare(Integer row) {
      return new HandWriter.Row(row);
    }

    @Override
    public Mono<List<Committed<Integer>>> commit(List<HandWriter.Row> group) {
      commits.incrementAndGet();
      return limit
          .limit(commit.doOnCancel(cancels::incrementAndGet))
          .onErrorMap(
              InsertTimeoutException.class, late -> new GroupFailedException(meaning, late));
    }

    @Override
    public Mono<List<InsertOutcome<Integer>>> find(
        List<HandWriter.Row> group, List<HandWriter.Row> sent) {
      searches.incrementAndGet();
      return search.doOnCancel(cancels::incrementAndGet);
    }

    @Override
    protected Silent self() {
      return this;
    }
  }

  private Disposable run(Silent inserts) {
    return Flux.just(1).transform(inserts.outcomes()).subscribe(outcomes::add);
  }

  private static void assertNamesTheLimit(Throwable reason, Duration limit) {
    assertThat(reason)
        .isInstanceOfSatisfying(
            InsertTimeoutException.class, late -> assertThat(late.timeout()).isEqualTo(limit))
        .hasMessageContaining("transactionTimeout of " + limit);
  }

  /** The timer of an attempt that has ended stays set until its time. */
  private void assertNoTimerStaysSet() {
    time.advanceTimeBy(DEFAULT);
    assertThat(open).as("open timers").hasValue(0);
  }

  @Test
  void byDefaultATransactionIsAbandonedAfterThirtySecondsAndItsRowsAreLookedUp() {
    search = Mono.just(List.of(new Committed<>(1, null)));
    run(new Silent());
    time.advanceTimeBy(DEFAULT.minus(MOMENT));
    assertThat(cancels).hasValue(0);
    time.advanceTimeBy(MOMENT);
    assertThat(cancels).hasValue(1);
    time.advanceTimeBy(Duration.ofSeconds(2)); // the wait before the look-up
    assertThat(outcomes).singleElement().isInstanceOf(Committed.class);
    assertThat(commits).hasValue(1);
    assertNoTimerStaysSet();
  }

  @Test
  void aLookUpWithoutAnAnswerIsRepeatedAndInTheEndTheRowsAreUnknown() {
    run(new Silent());
    time.advanceTimeBy(DAY);
    assertThat(commits).hasValue(1);
    assertThat(searches).hasValue(2);
    assertThat(cancels).as("the commit and the look-ups").hasValue(3);
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertNamesTheLimit(unknown.reason(), DEFAULT));
    assertNoTimerStaysSet();
  }

  @Test
  void aTransactionThatNeverReachesItsCommitIsRepeatedAndInTheEndTheRowsAreRejected() {
    meaning = Kind.TRANSIENT;
    Duration limit = Duration.ofSeconds(7);
    run(new Silent().transactionTimeout(limit));
    time.advanceTimeBy(DAY);
    assertThat(commits).hasValue(3);
    assertThat(searches).hasValue(0);
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertNamesTheLimit(rejected.reason(), limit));
    assertNoTimerStaysSet();
  }

  @ParameterizedTest
  @EnumSource(names = {"IN_DOUBT", "TRANSIENT"}) // during the look-up, and during the transaction
  void aCancelLeavesNoWork(Kind kind) {
    meaning = kind;
    Disposable running = run(new Silent());
    if (kind == Kind.IN_DOUBT) {
      time.advanceTimeBy(DEFAULT.plusSeconds(2));
      assertThat(searches).hasValue(1);
    }
    int before = cancels.get();
    assertThat(open).as("open timers").hasPositiveValue();
    running.dispose();
    assertThat(cancels).hasValue(before + 1);
    assertNoTimerStaysSet();
  }

  @Test
  void noTimerStaysSetLongAfterAnAnswer() {
    commit = Mono.just(List.of(new Committed<>(1, null)));
    run(new Silent());
    assertThat(outcomes).hasSize(1);
    assertNoTimerStaysSet();
  }

  @Test
  void zeroIsNoLimit() {
    run(new Silent().transactionTimeout(Duration.ZERO));
    time.advanceTimeBy(DAY.multipliedBy(1_000));
    assertThat(cancels).hasValue(0);
    assertThat(outcomes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.001S", "PT8760H0.001S"})
  void aLimitOutOfRangeIsRefused(String value) {
    assertThatThrownBy(() -> new Silent().transactionTimeout(Duration.parse(value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("transactionTimeout must be from PT0S to PT8760H, was " + value);
  }
}
