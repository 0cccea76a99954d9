package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.InlineScheduler;
import io.millrace.InvalidOptionException;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class InsertsTest {

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final HandWriter writer = new HandWriter();
  private final TestInserts inserts =
      new TestInserts(writer).groupSize(3).concurrency(2).scheduler(time);
  private final TestPublisher<Integer> source = TestPublisher.create();
  private final List<Integer> discarded = new ArrayList<>();

  /** Collects what a pipeline emits; asks for everything, or for as much as the test says. */
  private static final class Probe<R> extends BaseSubscriber<R> {
    final List<R> values = new ArrayList<>();
    Throwable error = new AssertionError("no error");
    boolean completed;
    private final long initial;

    Probe(long initial) {
      this.initial = initial;
    }

    @Override
    protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
      if (initial > 0) {
        subscription.request(initial);
      }
    }

    @Override
    protected void hookOnNext(R value) {
      values.add(value);
    }

    @Override
    protected void hookOnError(Throwable throwable) {
      error = throwable;
    }

    @Override
    protected void hookOnComplete() {
      completed = true;
    }

    InsertFailedException failure() {
      assertThat(error).isInstanceOf(InsertFailedException.class);
      return (InsertFailedException) error;
    }
  }

  private <R> Probe<R> run(Function<Flux<Integer>, Flux<R>> operator, long request) {
    Probe<R> probe = new Probe<>(request);
    source.flux().transform(operator).doOnDiscard(Integer.class, discarded::add).subscribe(probe);
    return probe;
  }

  private <R> Probe<R> run(Function<Flux<Integer>, Flux<R>> operator) {
    return run(operator, Long.MAX_VALUE);
  }

  private void emit(int first, int last) {
    IntStream.rangeClosed(first, last).forEach(source::next);
  }

  @Test
  void aFullGroupIsWrittenAtOnceAndItsRowsAreEmittedWhenItIsCommitted() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 2);
    assertThat(writer.groups()).isEmpty();
    emit(3, 4);
    assertThat(writer.groups()).containsExactly(List.of(1, 2, 3));
    assertThat(rows.values).isEmpty();
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1, 2, 3);
  }

  @Test
  void aGroupThatFailsDuringTheDiscardsOfACancelDoesNotRepeatThem() {
    RuntimeException broken = new IllegalStateException("on purpose");
    Probe<Integer> rows = new Probe<>(Long.MAX_VALUE);
    source
        .flux()
        .transform(inserts.rows())
        .doOnDiscard(
            Integer.class,
            row -> {
              discarded.add(row);
              if (row == 1) {
                writer.write(1).reject(broken);
              }
            })
        .subscribe(rows);
    emit(1, 6);
    writer.write(0).reject(broken);
    rows.cancel();

    assertThat(discarded).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  @Test
  void writesTheLastRowsWhenTheSourceEndsAndCompletes() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 4);
    source.complete();
    assertThat(writer.groups()).containsExactly(List.of(1, 2, 3), List.of(4));
    writer.write(0).commit();
    assertThat(rows.completed).isFalse();
    writer.write(1).commit();
    assertThat(rows.values).containsExactly(1, 2, 3, 4);
    assertThat(rows.completed).isTrue();
  }

  @Test
  void anEmptySourceCompletesWithoutAWrite() {
    Probe<Integer> rows = run(inserts.rows(), 0);
    source.complete();
    assertThat(rows.completed).isTrue();
    assertThat(writer.writes()).isEmpty();
  }

  @Test
  void theErrorOfTheSourceComesAfterTheRowsBeforeIt() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 2);
    source.error(new IllegalStateException("source"));
    assertThat(writer.groups()).containsExactly(List.of(1, 2));
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1, 2);
    assertThat(rows.error).hasMessage("source");
  }

  @Test
  void aTrickleIsWrittenAfterTheDelayOfItsFirstRow() {
    run(inserts.maxDelay(Duration.ofMillis(50)).rows());
    emit(1, 1);
    time.advanceTimeBy(Duration.ofMillis(30));
    emit(2, 2);
    time.advanceTimeBy(Duration.ofMillis(19));
    assertThat(writer.groups()).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(writer.groups()).containsExactly(List.of(1, 2));
  }

  @Test
  void eachGroupHasADelayOfItsOwn() {
    run(inserts.concurrency(4).maxDelay(Duration.ofMillis(50)).groupedBy(row -> row % 2).rows());
    emit(1, 1);
    time.advanceTimeBy(Duration.ofMillis(30));
    emit(2, 2);
    time.advanceTimeBy(Duration.ofMillis(20));
    assertThat(writer.groups()).containsExactly(List.of(1));
    time.advanceTimeBy(Duration.ofMillis(29));
    assertThat(writer.groups()).hasSize(1);
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(writer.groups()).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void aGroupThatIsDueWhileAllWritersAreBusyGrowsUntilOneIsFree() {
    run(inserts.concurrency(1).groupSize(100).maxDelay(Duration.ofMillis(50)).rows());
    emit(1, 1);
    time.advanceTimeBy(Duration.ofMillis(50));
    emit(2, 2);
    time.advanceTimeBy(Duration.ofMillis(100));
    emit(3, 3);
    assertThat(writer.groups()).containsExactly(List.of(1));
    writer.write(0).commit();
    assertThat(writer.groups()).containsExactly(List.of(1), List.of(2, 3));
  }

  @Test
  void withoutDelayAGroupIsWrittenAsSoonAsAWriterIsFree() {
    run(inserts.concurrency(1).maxDelay(Duration.ZERO).rows());
    emit(1, 3);
    assertThat(writer.groups()).containsExactly(List.of(1));
    writer.write(0).commit();
    assertThat(writer.groups()).containsExactly(List.of(1), List.of(2, 3));
  }

  @Test
  void noMoreGroupsThanTheConcurrencyAreWrittenAtATime() {
    run(inserts.concurrency(2).groupSize(1).rows());
    assertThat(source.flux()).isNotNull();
    emit(1, 2);
    assertThat(writer.groups()).hasSize(2);
    writer.write(1).commit();
    emit(3, 3);
    assertThat(writer.groups()).hasSize(3);
  }

  @Test
  void aGroupStaysWithinCellsAndBytes() {
    run(inserts.groupSize(100).maxCells(2).rows());
    emit(1, 5);
    assertThat(writer.groups()).containsExactly(List.of(1, 2), List.of(3, 4));

    HandWriter byBytes = new HandWriter();
    Flux.just(60, 40, 1, 100)
        .transform(new TestInserts(byBytes).scheduler(time).maxBytes(100).concurrency(9).rows())
        .subscribe();
    assertThat(byBytes.groups()).containsExactly(List.of(60, 40), List.of(1), List.of(100));
  }

  @Test
  void aRowAboveALimitByItselfIsRejectedBeforeItIsWritten() {
    Probe<InsertOutcome<Integer>> outcomes = run(inserts.maxBytes(10).outcomes());
    emit(10, 11);
    assertThat(outcomes.values)
        .singleElement()
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .isInstanceOf(RowTooLargeException.class)
                    .hasMessage("a commit has at most 10 bytes, and a row has 11"));
    assertThat(writer.groups()).isEmpty();
  }

  @Test
  void aRowThatCannotBePreparedIsRejectedAndTheOthersGoOn() {
    Probe<InsertOutcome<Integer>> outcomes = run(inserts.outcomes());
    source.next(1, -2, 3, 4);
    assertThat(outcomes.values)
        .singleElement()
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected -> {
              assertThat(rejected.row()).isEqualTo(-2);
              assertThat(rejected.reason()).hasMessage("negative: -2");
            });
    assertThat(writer.groups()).containsExactly(List.of(1, 3, 4));
  }

  @Test
  void rowsOfAShardAreWrittenTogether() {
    run(inserts.concurrency(4).groupedBy(row -> row % 2).rows());
    emit(1, 6);
    assertThat(writer.groups()).containsExactly(List.of(1, 3, 5), List.of(2, 4, 6));
  }

  @Test
  void writesTheFirstShardAtTheBound() {
    run(inserts.groupSize(4).concurrency(2).groupedBy(row -> row / 10).rows());
    source.next(10, 20, 21, 30, 31, 32, 40);
    assertThat(writer.groups()).isEmpty();
    source.next(11);
    assertThat(writer.groups()).containsExactly(List.of(10, 11), List.of(20, 21));
  }

  @Test
  void theSourceIsAskedForNoMoreThanTheBoundAndForMoreWhenRowsAreEmitted() {
    List<Long> requests = new ArrayList<>();
    Probe<Integer> rows = new Probe<>(0);
    source
        .flux()
        .doOnRequest(requests::add)
        .transform(inserts.groupSize(4).concurrency(2).rows())
        .subscribe(rows);
    assertThat(requests).containsExactly(4L, 4L);
    emit(1, 8);
    writer.write(0).commit();
    writer.write(1).commit();
    assertThat(requests).as("committed rows that wait for the subscriber count").hasSize(2);
    rows.request(3);
    assertThat(requests).as("one group is being emitted").containsExactly(4L, 4L, 4L);
    rows.request(1);
    assertThat(rows.values).containsExactly(1, 2, 3, 4);
    assertThat(requests).hasSize(4);
  }

  @Test
  void rowsComeInTheOrderOfTheirCommits() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 6);
    writer.write(1).commit();
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(4, 5, 6, 1, 2, 3);
  }

  @Test
  void orderedRowsOfAShardComeInTheOrderOfTheSource() {
    Probe<Integer> rows = run(inserts.ordered().groupedBy(row -> row % 2).rows());
    emit(1, 6);
    writer.write(1).commit();
    assertThat(rows.values).isEmpty();
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void commitsCarryTheTimestamp() {
    Probe<Committed<Integer>> commits = run(inserts.commits());
    emit(1, 3);
    writer.write(0).commit();
    assertThat(commits.values)
        .extracting(commit -> commit.timestamp().orElseThrow())
        .containsExactly(
            Instant.ofEpochSecond(1), Instant.ofEpochSecond(2), Instant.ofEpochSecond(3));
    assertThat(commits.values.get(0)).hasToString("Committed[1 at 1970-01-01T00:00:01Z]");
    assertThat(new Committed<>(1, null)).hasToString("Committed[1]");
  }

  @Test
  void aFailedGroupEndsTheStreamAfterTheGroupsThatAreBeingWritten() {
    Probe<Integer> rows = run(inserts.concurrency(4).rows());
    emit(1, 11);
    writer.write(1).reject(new IllegalStateException("duplicate"));
    source.assertCancelled();
    assertThat(discarded).as("not sent").containsExactly(10, 11);
    writer.write(0).commit();
    assertThat(rows.error).isInstanceOf(AssertionError.class);
    writer.write(2).commit();
    assertThat(rows.values).containsExactly(1, 2, 3, 7, 8, 9);
    assertThat(rows.failure().committed()).isEqualTo(6);
    assertThat(writer.groups()).hasSize(3);
  }

  @Test
  void theFailureCarriesRowsCauseAndHowManyWereCommitted() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 6);
    IllegalStateException reason = new IllegalStateException("duplicate");
    writer.write(1).reject(reason);
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1, 2, 3);
    InsertFailedException failure = rows.failure();
    assertThat(failure.rows()).isEqualTo(List.of(4, 5, 6));
    assertThat(failure.committed()).isEqualTo(3);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(failure).hasCause(reason);
    assertThat(failure)
        .hasMessage(
            "3 rows were not written of the group that begins with row 4 of the stream, after 3"
                + " committed; the cause is java.lang.IllegalStateException");
  }

  @Test
  void theFailureWaitsUntilTheCommittedRowsWereAskedFor() {
    Probe<Integer> rows = run(inserts.ordered().rows(), 1);
    emit(1, 6);
    writer.write(0).commit();
    writer.write(1).reject(new IllegalStateException("duplicate"));
    assertThat(rows.values).containsExactly(1);
    assertThat(rows.error).isInstanceOf(AssertionError.class);
    rows.request(2);
    assertThat(rows.values).containsExactly(1, 2, 3);
    assertThat(rows.failure().committed()).isEqualTo(3);
  }

  @Test
  void outcomesGoOnAfterAFailure() {
    Probe<InsertOutcome<Integer>> outcomes = run(inserts.outcomes());
    emit(1, 6);
    writer.write(0).reject(new IllegalStateException("duplicate"));
    writer.write(1).commit();
    emit(7, 9);
    writer.write(2).commit();
    source.complete();
    assertThat(outcomes.values)
        .extracting(InsertOutcome::row)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(outcomes.values.subList(0, 3)).hasOnlyElementsOfType(Rejected.class);
    assertThat(outcomes.values.subList(3, 9)).hasOnlyElementsOfType(Committed.class);
    assertThat(outcomes.completed).isTrue();
  }

  @Test
  void aWriterThatThrowsLeavesItsRowsUnknown() {
    FunctionWriter throwing =
        new FunctionWriter(
            group -> {
              throw new IllegalStateException("thrown");
            });
    StepVerifier.create(Flux.just(1).transform(new TestInserts(throwing).outcomes()))
        .assertNext(outcome -> assertThat(outcome).isInstanceOf(Unknown.class))
        .verifyComplete();
  }

  @Test
  void aCancelDiscardsTheRowsOfAFailedGroupAndDropsItsFailure() {
    List<Throwable> dropped = new ArrayList<>();
    Probe<Integer> rows = new Probe<>(Long.MAX_VALUE);
    source
        .flux()
        .transform(inserts.rows())
        .doOnDiscard(Integer.class, discarded::add)
        .contextWrite(
            context ->
                context.put("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add))
        .subscribe(rows);
    emit(1, 6);
    writer.write(1).reject(new IllegalStateException("duplicate"));
    rows.cancel();
    assertThat(discarded).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
    assertThat(dropped).singleElement().isInstanceOf(InsertFailedException.class);
  }

  @Test
  void aCancelLeavesNoTimer() {
    InlineScheduler clock = new InlineScheduler();
    Probe<Integer> rows = run(inserts.scheduler(clock).rows());
    emit(1, 2);
    assertThat(clock.timers()).isOne();
    rows.cancel();
    assertThat(clock.timers()).isZero();
  }

  @Test
  void theErrorOfTheSourceIsSuppressedByTheFailureOfAGroup() {
    Probe<Integer> rows = run(inserts.rows());
    emit(1, 2);
    source.error(new IllegalStateException("source"));
    writer.write(0).reject(new IllegalStateException("duplicate"));
    assertThat(rows.failure()).hasRootCauseMessage("duplicate");
    assertThat(rows.failure().getSuppressed()).extracting(Throwable::getMessage).contains("source");
  }

  @Test
  void cancellingDiscardsEveryRowThatWasNotEmittedAndStopsTheWriters() {
    Probe<Integer> rows = run(inserts.concurrency(3).rows(), 1);
    emit(1, 7);
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1);
    rows.cancel();
    source.assertCancelled();
    assertThat(discarded).containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7);
    assertThat(writer.write(1).cancelled).isTrue();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(writer.writes()).hasSize(2);
  }

  @Test
  void theContextReachesTheWriter() {
    List<String> seen = new ArrayList<>();
    FunctionWriter curious =
        new FunctionWriter(
            group ->
                Mono.deferContextual(
                    context -> {
                      seen.add(context.get("user"));
                      return FunctionWriter.committed(group);
                    }));
    StepVerifier.create(
            Flux.just(1)
                .transform(new TestInserts(curious).rows())
                .contextWrite(context -> context.put("user", "ann")))
        .expectNext(1)
        .verifyComplete();
    assertThat(seen).containsExactly("ann");
  }

  @Test
  void aFullGroupIsWrittenWhileTheSourceStillAnswersARequest() {
    List<Integer> emitted = new ArrayList<>();
    List<Integer> emittedBeforeWrites = new ArrayList<>();
    Flux.range(1, 12)
        .doOnNext(emitted::add)
        .transform(
            new TestInserts(
                    new FunctionWriter(
                        group -> {
                          emittedBeforeWrites.add(emitted.size());
                          return FunctionWriter.committed(group);
                        }))
                .groupSize(3)
                .concurrency(4)
                .rows())
        .as(StepVerifier::create)
        .expectNextCount(12)
        .verifyComplete();
    assertThat(emittedBeforeWrites).containsExactly(3, 6, 9, 12);
  }

  @Test
  void aGroupOfAShardWaitsForMoreRowsWhenAnotherGroupIsWrittenWithinARequest() {
    Flux.just(1, 2, 11, 12, 3, 13)
        .concatWith(Flux.never())
        .transform(inserts.groupSize(3).concurrency(2).groupedBy(row -> row / 10).rows())
        .subscribe();
    assertThat(writer.groups()).containsExactly(List.of(1, 2, 3), List.of(11, 12, 13));
  }

  @Test
  void aMillionRowsAreWrittenOnASmallStack() throws InterruptedException {
    List<Long> counted = new ArrayList<>();
    Thread small =
        new Thread(
            null,
            () ->
                counted.add(
                    Flux.range(0, 1_000_000)
                        .map(i -> i % 100)
                        .transform(
                            new TestInserts(FunctionWriter.instant())
                                .groupSize(10)
                                .concurrency(1)
                                .rows())
                        .count()
                        .block()),
            "small",
            256 * 1024);
    small.start();
    small.join();
    assertThat(counted).containsExactly(1_000_000L);
  }

  @Test
  void settingsAreChecked() {
    Duration second = Duration.ofSeconds(1);
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.groupSize(0))
        .withMessage("groupSize must be from 1 to 100000, was 0");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.concurrency(10_001))
        .withMessage("concurrency must be from 1 to 10000, was 10001");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.maxDelay(Duration.ofMillis(-1)))
        .withMessage("maxDelay must be from PT0S to PT8760H, was PT-0.001S");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.maxCells(1_001))
        .withMessage("maxCells must be from 1 to 1000, was 1001");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.maxBytes(0))
        .withMessage("maxBytes must be from 1 to 1000, was 0");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.retries(-1, second, second))
        .withMessage("retries times must be from 0 to 2147483647, was -1");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.retries(1, Duration.ZERO, second))
        .withMessage("retries minBackoff must be from PT0.001S to PT8760H, was PT0S");
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> inserts.retries(1, second, Duration.ofMillis(999)))
        .withMessage("retries maxBackoff must be from PT1S to PT8760H, was PT0.999S");
  }

  @Test
  void aDisposedSchedulerLetsNoRowWait() {
    Scheduler dead = Schedulers.newSingle("dead");
    dead.dispose();
    Probe<Integer> rows = run(inserts.scheduler(dead).maxDelay(Duration.ofDays(1)).rows());
    emit(1, 1);
    assertThat(writer.groups()).containsExactly(List.of(1));
    writer.write(0).commit();
    assertThat(rows.values).containsExactly(1);
  }
}
