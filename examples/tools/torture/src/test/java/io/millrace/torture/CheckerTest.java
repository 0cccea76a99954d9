package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.torture.Tape.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckerTest {

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private final Map<Long, Long> rows = new HashMap<>();

  private Path path(Mode mode, int process) {
    return new ChildSettings(
            directory, process, 0, DatabaseKind.POSTGRESQL, 1, "", List.of(mode), 1)
        .tape(mode);
  }

  /** A subscription of a process received values. */
  private Tape received(Mode mode, int process, long... values) {
    Tape tape = new Tape(path(mode, process));
    for (long value : values) {
      tape.append(Tape.request(process, 0, 7), System.nanoTime(), value);
    }
    return tape;
  }

  private List<String> check(Mode mode, long reserved, long kills) {
    Checker checker = new Checker(directory, kills);
    if (mode.insertsRows()) {
      checker.checkRows(mode, rows, reserved);
    } else {
      checker.checkValues(mode, reserved);
    }
    return checker.violations();
  }

  @Test
  void acceptsACorrectHistory() {
    received(Mode.BATCH, 0, 1, 2, 3);
    received(Mode.BATCH, 1, 4, 5, 6);

    Checker checker = new Checker(directory, 0);
    checker.checkValues(Mode.BATCH, 6);

    assertThat(checker.violations()).isEmpty();
    assertThat(checker.results()).containsExactly(new Checker.Result(Mode.BATCH, 6, 6, 0, 0, 0));
  }

  @Test
  void namesBothReceiversOfAValue() {
    received(Mode.BATCH, 0, 1, 2, 3);
    received(Mode.BATCH, 1, 3, 4, 5);

    assertThat(check(Mode.BATCH, 5, 0))
        .containsExactly(
            "no value is received twice: BATCH: 3 of process 0, life 0 and 3 of process 1, life 0");
  }

  @Test
  void findsValuesThatFallInASubscription() {
    received(Mode.WATERMARK, 0, 2, 1);

    assertThat(check(Mode.WATERMARK, 2, 0)).singleElement().asString().startsWith(Checker.RISING);
  }

  @Test
  void findsASmallerValueThatWasRequestedAfterAGreaterOneWasReceived() {
    received(Mode.ORDERED, 0, 1, 9, 5);

    assertThat(check(Mode.ORDERED, 9, 100))
        .contains(
            Checker.IN_ORDER + ": ORDERED: 9 of process 0, life 0, then 5 of process 0, life 0");
  }

  @Test
  void acceptsEitherOrderOfRequestsThatOverlap() {
    Tape first = new Tape(path(Mode.ORDERED, 0));
    Tape second = new Tape(path(Mode.ORDERED, 1));
    long start = System.nanoTime();
    first.append(Tape.request(0, 0, 1), start, 2);
    second.append(Tape.request(1, 0, 1), start, 1);

    assertThat(check(Mode.ORDERED, 2, 0)).isEmpty();
  }

  @Test
  void acceptsAsManyGapsAsAKillExplains() {
    received(Mode.BATCH, 0, 1);
    long loss = Mode.BATCH.lossOfKill();

    assertThat(check(Mode.BATCH, 1 + loss, 1)).isEmpty();
    assertThat(check(Mode.BATCH, 2 + loss, 1))
        .containsExactly(
            Checker.GAPS
                + (": BATCH: " + (loss + 1) + " lost, at most " + loss + " after 1 kills"));
  }

  @Test
  void acceptsGapsThatGeneratorsReportedOrThatAFailureExplains() {
    Tape tape = received(Mode.BATCH, 0, 1);
    tape.add(Count.GAPS, 10);
    assertThat(check(Mode.BATCH, 11, 0)).isEmpty();
    assertThat(check(Mode.BATCH, 12, 0)).hasSize(1);

    tape.add(Count.FAILURES, 1);
    assertThat(check(Mode.BATCH, 12, 0)).isEmpty();
  }

  @Test
  void findsAValueAboveTheCounter() {
    received(Mode.BATCH, 0, 1, 2, 3);

    assertThat(check(Mode.BATCH, 2, 0))
        .contains(Checker.COUNTER + ": BATCH: it passed 2, and 3 was received");
  }

  @Test
  void acceptsRowsNumberedFromOneInAnyOrder() {
    rows.putAll(Map.of(100L, 2L, 101L, 1L, 102L, 3L));

    assertThat(check(Mode.WRITER, 3, 5)).isEmpty();
  }

  @Test
  void findsALostRow() {
    rows.putAll(Map.of(100L, 1L, 101L, 3L));

    assertThat(check(Mode.WRITER, 3, 5))
        .containsExactly(
            Checker.GAPLESS + ": WRITER: row 2 has number 3",
            Checker.GAPLESS + ": WRITER: 2 rows, and the counter passed 3");
  }

  @Test
  void findsANumberInTwoRowsAndARowThatTheDatabaseShouldHaveRefused() {
    rows.putAll(Map.of(100L, 1L, -5L, 1L));

    assertThat(check(Mode.TRANSACTIONAL, 2, 5))
        .containsExactly(
            Checker.GAPLESS + ": TRANSACTIONAL: row 2 has number 1",
            Checker.GAPLESS + ": TRANSACTIONAL: the row -5 should be refused");
  }

  @Test
  void findsANumberThatWasReceivedAndIsNotInItsRow() {
    received(Mode.TRANSACTIONAL, 0, 1);
    rows.put(100L, 1L);

    assertThat(check(Mode.TRANSACTIONAL, 1, 5))
        .containsExactly(
            Checker.ACKNOWLEDGED + ": TRANSACTIONAL: 1 of process 0, life 0; its row has null");
  }

  @Test
  void readsALongTapeInItsOrder() {
    Tape tape = new Tape(path(Mode.BATCH, 0));
    for (long value = 1; value <= 100_000; value++) {
      tape.append(1, 2, value);
    }

    assertThat(Tape.read(path(Mode.BATCH, 0)))
        .hasSize(100_000)
        .extracting(Tape.Received::value)
        .startsWith(1L, 2L)
        .endsWith(100_000L);
    assertThat(Tape.read(path(Mode.BATCH, 9), Count.RECEIVED)).isZero();
  }

  @Test
  void aTapeOfAProcessThatWasKilledAtItsStartIsEmpty() throws IOException {
    Files.createFile(path(Mode.BATCH, 0));

    assertThat(check(Mode.BATCH, 0, 1)).isEmpty();
  }
}
