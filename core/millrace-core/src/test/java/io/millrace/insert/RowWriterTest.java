package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Single rows of many callers, which share transactions. Time is virtual. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class RowWriterTest {

  private static final IllegalStateException REASON = new IllegalStateException("on purpose");

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final HandWriter hand = new HandWriter();
  private final List<Object> seen = new ArrayList<>();

  private TestInserts inserts() {
    return new TestInserts(hand).concurrency(1).scheduler(time);
  }

  private Disposable write(RowWriter<Integer> writer, int row) {
    return writer.write(row).subscribe(seen::add, error -> seen.add(row + " " + described(error)));
  }

  private static String described(Throwable error) {
    if (error instanceof RowNotAcceptedException refused) {
      return refused.reason().toString();
    }
    InsertFailedException failed = (InsertFailedException) error;
    return (failed.isOutcomeUnknown() ? "unknown" : "not written")
        + (failed.getCause() == REASON ? "" : " " + failed.getCause());
  }

  @Test
  void aRowAloneIsWrittenAtOnceAndComesBackAsItWasWritten() {
    RowWriter<Integer> writer = inserts().writer();
    Mono<Integer> saved = writer.write(7);
    assertThat(hand.groups()).as("before a subscription").isEmpty();
    saved.subscribe(seen::add);
    assertThat(hand.groups()).containsExactly(List.of(7));
    assertThat(seen).isEmpty();
    hand.write(0).succeed(List.of(HandWriter.committed(70)));
    assertThat(seen).containsExactly(70);
  }

  @Test
  void rowsThatArriveDuringATransactionShareTheNextOne() {
    RowWriter<Integer> writer = inserts().groupSize(3).writer();
    for (int row = 1; row <= 5; row++) {
      write(writer, row);
    }
    assertThat(hand.groups()).containsExactly(List.of(1));
    hand.write(0).commit();
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(2, 3, 4));
    hand.write(1).commit();
    hand.write(2).commit();
    assertThat(hand.groups()).hasSize(3);
    assertThat(seen).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void asManyTransactionsAreUnderWayAsTheConcurrencyAllows() {
    RowWriter<Integer> writer = inserts().concurrency(2).writer();
    for (int row = 1; row <= 4; row++) {
      write(writer, row);
    }
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(2));
    hand.write(1).commit();
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(2), List.of(3, 4));
  }

  @Test
  void aGroupKeepsToItsCells() {
    RowWriter<Integer> writer = inserts().maxCells(2).writer();
    for (int row = 1; row <= 4; row++) {
      write(writer, row);
    }
    hand.write(0).commit();
    hand.write(1).commit();
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(2, 3), List.of(4));
  }

  @Test
  void startsTheNextTransactionBeforeAnsweringCallers() {
    RowWriter<Integer> writer = inserts().writer();
    List<Integer> groups = new ArrayList<>();
    writer.write(1).subscribe(row -> groups.add(hand.groups().size()));
    write(writer, 2);
    hand.write(0).commit();
    assertThat(groups).containsExactly(2);
  }

  @Test
  void aGroupKeepsToTheLimitsAndARowAloneOverALimitFailsItsCallerOnly() {
    RowWriter<Integer> writer = inserts().maxBytes(10).writer();
    write(writer, 1);
    write(writer, 6);
    write(writer, 5);
    write(writer, 10);
    write(writer, 11);
    for (int i = 0; i < 4; i++) {
      hand.write(i).commit();
    }
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(6), List.of(5), List.of(10));
    assertThat(seen).hasSize(5).contains(1, 5, 6, 10);
    assertThat(seen.get(0).toString()).startsWith("11 not written").contains("RowTooLarge");
  }

  @Test
  void eachCallerLearnsWhatBecameOfItsOwnRow() {
    RowWriter<Integer> writer = inserts().writer();
    for (int row = 1; row <= 4; row++) {
      write(writer, row);
    }
    write(writer, -5); // whose function throws
    hand.write(0).commit();
    hand.write(1).rejectRows(REASON, null, null);
    hand.write(2).commit();
    assertThat(seen)
        .containsExactly(
            "-5 not written java.lang.IllegalArgumentException: negative: -5",
            1,
            "2 not written",
            3,
            4);
  }

  @Test
  void aGroupWhoseWriterBreaksDownIsUnknownAndTheWriterGoesOn() {
    RowWriter<Integer> writer = inserts().writer();
    write(writer, 1);
    hand.write(0).fail(REASON);
    write(writer, 2);
    hand.write(1).endWithoutOutcomes();
    write(writer, 3);
    hand.write(2).commit();
    assertThat(seen).hasSize(3).startsWith("1 unknown").endsWith(3);
    assertThat(seen.get(1).toString()).startsWith("2 unknown");
  }

  @Test
  void aCancelTakesARowOutBeforeItsTransactionAndHasNoEffectLater() {
    RowWriter<Integer> writer = inserts().maxWaiting(2).writer();
    Disposable first = write(writer, 1);
    Disposable second = write(writer, 2);
    write(writer, 3);
    first.dispose();
    assertThat(hand.write(0).cancelled).isFalse();
    second.dispose();
    second.dispose();
    write(writer, 4);
    write(writer, 5);
    assertThat(seen).as("a place was given up once").containsExactly("5 FULL");
    hand.write(0).commit();
    hand.write(1).commit();
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(3, 4));
    assertThat(seen).containsExactly("5 FULL", 3, 4);
  }

  @Test
  void refusesARowAtOnceWhenTheQueueIsFull() {
    RowWriter<Integer> writer = inserts().maxWaiting(2).writer();
    for (int row = 1; row <= 4; row++) {
      write(writer, row);
    }
    assertThat(seen).as("one is in a transaction, two wait").containsExactly("4 FULL");
    StepVerifier.create(writer.write(5))
        .expectErrorMessage("2 rows wait to be written, and 1 more would exceed maxWaiting, 2")
        .verify();
    hand.write(0).commit();
    write(writer, 6);
    hand.write(1).commit();
    hand.write(2).commit();
    assertThat(seen).containsExactly("4 FULL", 1, 2, 3, 6);
  }

  @Test
  void aRowThatWaitedTooLongIsRefusedAndNotWritten() {
    RowWriter<Integer> writer = inserts().acquireTimeout(Duration.ofSeconds(5)).writer();
    write(writer, 1);
    write(writer, 2);
    time.advanceTimeBy(Duration.ofSeconds(3));
    write(writer, 3);
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(seen).containsExactly("2 TIMED_OUT");
    hand.write(0).commit();
    hand.write(1).commit();
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(hand.groups()).containsExactly(List.of(1), List.of(3));
    assertThat(seen).containsExactly("2 TIMED_OUT", 1, 3);
  }

  @Test
  void aCallerThatBlocksInItsRefusalDelaysNoOtherRefusal() {
    Scheduler threads = Schedulers.newParallel("refusals", 8);
    CountDownLatch released = new CountDownLatch(1);
    RowWriter<Integer> writer =
        inserts().groupSize(1).scheduler(threads).acquireTimeout(Duration.ofMillis(50)).writer();
    try {
      writer.write(1).subscribe(); // its transaction never ends
      writer.write(2).subscribe(row -> {}, error -> awaitQuietly(released));
      StepVerifier.create(writer.write(3))
          .expectErrorSatisfies(error -> assertThat(described(error)).isEqualTo("TIMED_OUT"))
          .verify(Duration.ofSeconds(20));
    } finally {
      released.countDown();
      threads.dispose();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A database that answers at once, and callers that write again when they are told. */
  @Test
  void aHundredThousandRowsOneAfterTheOtherNeedNoDeepStack() {
    RowWriter<Integer> writer =
        new TestInserts(FunctionWriter.instant()).concurrency(1).scheduler(time).writer();
    AtomicInteger last = new AtomicInteger();
    writeAgain(writer, last);
    assertThat(last).hasValue(100_000);
  }

  private static void writeAgain(RowWriter<Integer> writer, AtomicInteger written) {
    writer
        .write(1)
        .subscribe(
            own -> {
              if (written.incrementAndGet() < 100_000) {
                writeAgain(writer, written);
              }
            });
  }

  @Test
  void aDisposedWriterWritesWhatItAcceptedAndRefusesTheRest() {
    RowWriter<Integer> writer = inserts().groupSize(1).writer();
    for (int row = 1; row <= 3; row++) {
      write(writer, row);
    }
    Mono<Void> end = writer.disposeLater();
    assertThat(writer.isDisposed()).isFalse();
    end.subscribe(nothing -> {}, seen::add, () -> seen.add("end"));
    writer.dispose();
    assertThat(writer.isDisposed()).isTrue();
    write(writer, 4);
    for (int i = 0; i < 3; i++) {
      hand.write(i).commit();
    }
    assertThat(seen).containsExactly("4 DISPOSED", 1, 2, 3, "end");
    end.block(Duration.ofSeconds(1));
  }

  @Test
  void aSchedulerThatRejectsTasksLetsTheCallersThreadRunTheLoop() {
    Scheduler dead = Schedulers.newSingle("dead");
    dead.dispose();
    RowWriter<Integer> writer = inserts().concurrency(1).scheduler(dead).writer();
    write(writer, 1);
    write(writer, 2);
    hand.write(0).commit();
    hand.write(1).commit();
    assertThat(seen).containsExactly(1, 2);
    writer.disposeLater().block(Duration.ofSeconds(1));
  }

  @Test
  void aDisposedWriterEndsThoughItsLastCallerLeaves() {
    RowWriter<Integer> writer = inserts().writer();
    write(writer, 1);
    Disposable second = write(writer, 2);
    writer.disposeLater().subscribe(nothing -> {}, seen::add, () -> seen.add("end"));
    hand.write(0).commit();
    hand.write(1).commit();
    second.dispose();
    assertThat(seen).containsExactly(1, 2, "end");

    RowWriter<Integer> idle = inserts().writer();
    idle.disposeLater().block(Duration.ofSeconds(1));
  }

  @Test
  void aCallerThatThrowsFromItsSignalHarmsNoOther() {
    RowWriter<Integer> writer = inserts().writer();
    write(writer, 1);
    writer
        .write(2)
        .subscribe(
            row -> {
              throw REASON;
            },
            error -> {
              throw REASON;
            });
    write(writer, 3);
    hand.write(0).commit();
    hand.write(1).commit();
    write(writer, 4);
    hand.write(2).commit();
    assertThat(seen).containsExactly(1, 3, 4);
  }

  @Test
  void aMonoWritesItsRowAtEachSubscription() {
    RowWriter<Integer> writer = inserts().writer();
    Mono<Integer> saved = writer.write(7);
    TestPublisher<Integer> never = TestPublisher.create();
    saved.repeat(2).takeUntilOther(never).subscribe(seen::add);
    for (int i = 0; i < 3; i++) {
      hand.write(i).commit();
    }
    assertThat(seen).containsExactly(7, 7, 7);
  }

  @Test
  void optionsWithoutAMeaningForAWriterAndLimitsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> inserts().ordered().writer())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ordered");
    assertThatThrownBy(() -> inserts().groupedBy(row -> row).writer())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("groupedBy");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inserts().maxWaiting(0))
        .withMessage("maxWaiting must be from 1 to 10000000, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inserts().acquireTimeout(Duration.ofSeconds(-1)))
        .withMessageContaining("PT-1S");
  }

  private Disposable writeAll(RowWriter<Integer> writer, Integer... rows) {
    List<Integer> all = List.of(rows);
    return writer
        .writeAll(all)
        .subscribe(seen::add, error -> seen.add(all + " " + described(error)));
  }

  @Test
  void theRowsOfOneCallShareAGroupAndComeBackTogetherInTheirOrder() {
    RowWriter<Integer> writer = inserts().groupSize(3).writer();
    write(writer, 1);
    writeAll(writer, 2, 3);
    writeAll(writer, 4, 5);
    write(writer, 6);
    hand.write(0).commit();
    hand.write(1).succeed(List.of(HandWriter.committed(20), HandWriter.committed(30)));
    hand.write(2).commit();
    assertThat(hand.groups())
        .as("the rows of a call are not divided, and nobody overtakes them")
        .containsExactly(List.of(1), List.of(2, 3), List.of(4, 5, 6));
    assertThat(seen).containsExactly(1, List.of(20, 30), List.of(4, 5), 6);
  }

  @Test
  void theRowsOfOneCallHaveOneFate() {
    RowWriter<Integer> writer = inserts().writer();
    write(writer, 1);
    writeAll(writer, 2, 3);
    writeAll(writer, 4, 5);
    writeAll(writer, 8, 9);
    hand.write(0).commit();
    hand.write(1).rejectRows(null, REASON, null, null, null, null);
    hand.write(2).commit();
    hand.write(3).reject(REASON);
    assertThat(hand.groups())
        .containsExactly(List.of(1), List.of(2, 3, 4, 5, 8, 9), List.of(4, 5, 8, 9), List.of(2, 3));
    assertThat(seen).containsExactly(1, "[2, 3] not written", List.of(4, 5), List.of(8, 9));
    StepVerifier.create(writer.writeAll(List.of(6, 7)))
        .then(() -> hand.write(4).reject(REASON))
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .hasMessageStartingWith("the 2 rows were not written; the cause is ")
                    .isInstanceOfSatisfying(
                        InsertFailedException.class,
                        failed -> assertThat(failed.rows()).isEqualTo(List.of(6, 7))));
  }

  @Test
  void aCallWithMoreThanACommitHoldsIsRefusedWithTheLimitAndNothingIsPrepared() {
    RowWriter<Integer> writer = inserts().groupSize(2).maxBytes(10).writer();
    writeAll(writer, 1, 2, 3);
    writeAll(writer, 5, 6);
    writeAll(writer, 1, -1);
    assertThat(hand.groups()).isEmpty();
    assertThat(seen).hasSize(3);
    assertThat(seen.get(0).toString())
        .contains("RowTooLarge", "a commit has at most 2 rows, and the rows of a call have 3");
    assertThat(seen.get(1).toString())
        .contains("RowTooLarge", "a commit has at most 10 bytes, and the rows of a call have 11");
    assertThat(seen.get(2).toString()).startsWith("[1, -1] not written").contains("negative: -1");
  }

  @Test
  void anEmptyListIsWrittenAtOnceAlsoByADisposedWriter() {
    RowWriter<Integer> writer = inserts().writer();
    writer.dispose();
    StepVerifier.create(writer.writeAll(List.of())).expectNext(List.of()).verifyComplete();
    assertThat(hand.groups()).isEmpty();
  }

  @Test
  void everyRowOfACallTakesAPlaceAndACancelGivesAllOfThemUp() {
    RowWriter<Integer> writer = inserts().maxWaiting(3).writer();
    write(writer, 1);
    Disposable two = writeAll(writer, 2, 3);
    assertThat(writer.waiting()).isEqualTo(2);
    writeAll(writer, 4, 5);
    assertThat(seen).containsExactly("[4, 5] FULL");
    two.dispose();
    assertThat(writer.waiting()).isZero();
    writeAll(writer, 6, 7, 8);
    assertThat(writer.waiting()).isEqualTo(writer.maxWaiting()).isEqualTo(3);
    hand.write(0).commit();
    hand.write(1).commit();
    assertThat(writer.waiting()).isZero();
    assertThat(seen).containsExactly("[4, 5] FULL", 1, List.of(6, 7, 8));
  }

  /** Keeps a line for each event; throws if it is told to. */
  private static final class Log implements RowWriterMetricsRecorder {

    final List<String> lines = new ArrayList<>();
    boolean throwing;

    private void add(String line) {
      lines.add(line);
      if (throwing) {
        throw REASON;
      }
    }

    @Override
    public void opened(RowWriter<?> writer) {
      add("opened");
    }

    @Override
    public void closed(RowWriter<?> writer) {
      add("closed");
    }

    @Override
    public void waited(long nanos) {
      add("waited " + Duration.ofNanos(nanos));
    }

    @Override
    public void written(int rows, long nanos) {
      add("written " + rows + " in " + Duration.ofNanos(nanos));
    }

    @Override
    public void ended(Outcome outcome, int rows) {
      add(outcome + " " + rows);
    }
  }

  @Test
  void aRecorderIsToldOfGroupsWaitsAndWhatBecameOfEveryRow() {
    Log log = new Log();
    RowWriter<Integer> writer =
        inserts().maxWaiting(4).acquireTimeout(Duration.ofSeconds(5)).metrics(log).writer();
    write(writer, 1);
    time.advanceTimeBy(Duration.ofSeconds(1));
    writeAll(writer, 2, 3);
    write(writer, 4);
    writeAll(writer, 8, 9);
    write(writer, -1);
    time.advanceTimeBy(Duration.ofSeconds(2));
    hand.write(0).commit();
    write(writer, 5);
    time.advanceTimeBy(Duration.ofSeconds(5));
    hand.write(1).rejectRows(null, null, REASON);
    hand.write(2).commit();
    writer.disposeLater().block(Duration.ofSeconds(1));
    writer.disposeLater().block(Duration.ofSeconds(1));
    write(writer, 6);
    assertThat(log.lines)
        .containsExactly(
            "opened",
            "waited PT0S",
            "FULL 2",
            "REJECTED 1",
            "waited PT2S",
            "waited PT2S",
            "written 1 in PT3S",
            "COMMITTED 1",
            "TIMED_OUT 1",
            "written 3 in PT5S",
            "COMMITTED 2",
            "REJECTED 1",
            "closed",
            "DISPOSED 1");
  }

  @Test
  void aRecorderThatThrowsHarmsNobody() {
    Log log = new Log();
    log.throwing = true;
    RowWriter<Integer> writer =
        inserts().maxWaiting(1).acquireTimeout(Duration.ofSeconds(5)).metrics(log).writer();
    write(writer, 1);
    write(writer, 2);
    write(writer, 3);
    time.advanceTimeBy(Duration.ofSeconds(5));
    hand.write(0).commit();
    write(writer, 4);
    hand.write(1).commit();
    writer.disposeLater().block(Duration.ofSeconds(1));
    assertThat(seen).containsExactly("3 FULL", "2 TIMED_OUT", 1, 4);
    assertThat(log.lines).contains("opened", "closed");
  }
}
