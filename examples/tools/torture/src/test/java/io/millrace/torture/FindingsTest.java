package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsTest {

  private static final Sizes SIZES = new Sizes(1);
  private static final Deaths NONE = new Deaths(0, 0, 0, 0);

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private void received(Mode mode, int process, long... values) {
    ValueTape tape = new ValueTape(new TapeName(mode, process, 0, 0).in(directory));
    long subscription = tape.subscription();
    for (long value : values) {
      tape.received(subscription, value);
    }
  }

  private List<String> values(Mode mode, long reserved, Deaths deaths) {
    Findings findings = new Findings(directory, SIZES);
    findings.checkValues(mode, reserved, deaths);
    return findings.violations().stream().map(Violation::toString).toList();
  }

  @Test
  void aCorrectHistoryBreaksNoPromise() {
    received(Mode.BATCH, 0, 1, 2, 3);
    received(Mode.BATCH, 1, 4, 5, 6);

    Findings findings = new Findings(directory, SIZES);
    findings.checkValues(Mode.BATCH, 6, NONE);

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.results().get(0).received()).isEqualTo(6);
    assertThat(findings.results().get(0).gaps()).isZero();
  }

  @Test
  void aValueReceivedByTwoProcessesIsNamedWithBoth() {
    received(Mode.BATCH, 0, 1, 2, 3);
    received(Mode.BATCH, 1, 3, 4, 5);

    assertThat(values(Mode.BATCH, 5, NONE))
        .containsExactly(
            "no value is received twice: BATCH: 3 by (process 0, life 0, lane 0, as number 3) and"
                + " (process 1, life 0, lane 0, as number 1)");
  }

  @Test
  void aValueReceivedTwiceInTheOrderedModeIsNamed() {
    TimedTape tape = new TimedTape(new TapeName(Mode.ORDERED, 0, 0, 0).in(directory));
    tape.received(tape.invoked(), 4);
    tape.received(tape.invoked(), 4);
    Findings findings = new Findings(directory, SIZES);

    findings.checkRequests(Mode.ORDERED, findings.readRequests(Mode.ORDERED), 4, NONE);

    assertThat(findings.violations())
        .extracting(Violation::promise)
        .contains(Findings.UNIQUE, Findings.GAPS);
  }

  @Test
  void aValueThatFallsInASubscriptionIsAViolationWhereOrderIsPromised() {
    received(Mode.WATERMARK, 0, 2, 1);
    received(Mode.NATIVE, 0, 2, 1);

    assertThat(values(Mode.WATERMARK, 2, NONE)).singleElement().asString().contains("rise");
    assertThat(values(Mode.NATIVE, 2, NONE)).isEmpty();
  }

  @Test
  void moreGapsThanTheDeathsExplainAreAViolation() {
    received(Mode.BATCH, 0, 1);
    long loss = SIZES.largestLoss(Mode.BATCH).orElseThrow();

    assertThat(values(Mode.BATCH, 1 + loss, new Deaths(1, 0, 0, 0))).isEmpty();
    assertThat(values(Mode.BATCH, 1 + loss, new Deaths(0, 1, 0, 0))).isEmpty();
    assertThat(values(Mode.BATCH, 2 + loss, new Deaths(1, 0, 0, 0)))
        .containsExactly(
            "gaps stay within what is documented: BATCH: "
                + (loss + 1)
                + " gaps, at most "
                + loss
                + " after Deaths[killed=1, disposals=0, failures=0, left=0]");
    assertThat(values(Mode.BATCH, 2, NONE)).hasSize(1);
  }

  @Test
  void aValueAboveTheCounterIsAViolation() {
    received(Mode.BATCH, 0, 1, 2, 3);

    assertThat(values(Mode.BATCH, 2, NONE))
        .containsExactly(
            "counters are above all values that were received: BATCH: the counter passed 2,"
                + " subscribers received 3");
  }

  @Test
  void aReadingOfACounterBelowAReceivedValueIsAViolation() {
    CounterReadings readings = new CounterReadings();
    readings.add(Mode.BATCH, 10, 10);
    readings.add(Mode.BATCH, 5, 8); // given back
    assertThat(readings.violations()).isEmpty();

    readings.add(Mode.BATCH, 10, 8);
    assertThat(readings.violations())
        .containsExactly(
            new Violation(
                "counters do not move back",
                "BATCH: 10 was received, then the counter had passed 8"));
  }

  @Test
  void aCounterThatMovesBackWithoutReleasesIsAViolation() {
    CounterReadings readings = new CounterReadings();
    readings.add(Mode.TRANSACTIONAL, 0, 8);
    readings.add(Mode.TRANSACTIONAL, 0, 7);

    assertThat(readings.violations())
        .containsExactly(
            new Violation("counters do not move back", "TRANSACTIONAL: moved from 8 to 7"));
  }

  private static List<String> rows(long reserved, Requests requests, long... numbers) {
    Long2LongOpenHashMap rows = new Long2LongOpenHashMap();
    for (int i = 0; i < numbers.length; i++) {
      rows.put(100 + i, numbers[i]);
    }
    Findings findings = new Findings(Path.of("unused"), SIZES);
    findings.checkRows(Mode.TRANSACTIONAL, rows, requests, reserved);
    return findings.violations().stream().map(Violation::toString).toList();
  }

  @Test
  void rowsNumberedFromOneWithoutGapsBreakNoPromise() {
    assertThat(rows(3, new Requests(), 2, 1, 3)).isEmpty();
  }

  @Test
  void aMissingNumberAndANumberInTwoRowsAreNamed() {
    assertThat(rows(4, new Requests(), 1, 2, 4))
        .containsExactly(
            "committed rows have the numbers 1 to N: TRANSACTIONAL: row 3 of 3 in order has number"
                + " 4",
            "committed rows have the numbers 1 to N: TRANSACTIONAL: 3 rows, and the counter passed"
                + " 4");
    assertThat(rows(3, new Requests(), 1, 2, 2)).hasSize(1);
    assertThat(rows(4, new Requests(), 1, 2, 3)).hasSize(1);
  }

  @Test
  void aNumberWithoutItsRowIsNamed() {
    Requests requests = new Requests();
    requests.add(1, 2, 1, 100);
    requests.add(3, 4, 3, 101);
    requests.add(5, 6, 4, 999);

    assertThat(rows(3, requests, 1, 2, 3))
        .containsExactly(
            "a number that was received is in its row: TRANSACTIONAL: a request received 3, its row"
                + " has 2",
            "a number that was received is in its row: TRANSACTIONAL: a request received 4, its row"
                + " has none");
  }
}
