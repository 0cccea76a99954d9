package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TallyTest {

  private final Tally tally = new Tally(10, 3);

  private static TakenValues value(long value, long micros) {
    return new TakenValues(List.of(value), TimeUnit.MICROSECONDS.toNanos(micros), 0);
  }

  @Test
  void theFirstValueOfEachClientIsCountedApart() {
    tally.begin(0, 1);
    tally.took(0, value(7, 500));
    tally.begin(0, 1);
    tally.took(0, value(8, 5_000));
    tally.begin(2, 2);
    tally.took(2, new TakenValues(List.of(9L, 10L), TimeUnit.MICROSECONDS.toNanos(700), 0));

    assertThat(tally.first().getTotalCount()).isEqualTo(2);
    assertThat(tally.first().getMaxValue()).isBetween(700_000L, 701_000L);
  }

  @Test
  void errorsAreCountedApartAndHaveNoLatency() {
    tally.begin(0, 1);
    tally.took(0, value(7, 500));
    tally.begin(0, 2);
    tally.failed(0, 2, new IllegalStateException("no"));
    tally.begin(1, 1);
    tally.failed(1, 1, new ArithmeticException("no"));

    assertThat(tally.taken()).isEqualTo(1);
    assertThat(tally.failed()).isEqualTo(3);
    assertThat(tally.done()).isEqualTo(4);
    assertThat(tally.errors())
        .isEqualTo(Map.of("IllegalStateException", 2, "ArithmeticException", 1));
    assertThat(tally.taking().getTotalCount()).isEqualTo(1);
    assertThat(tally.iteration().getTotalCount()).isEqualTo(1);
  }

  @Test
  void eachValueOfATransactionCountsWithTheTransactionsLatency() {
    tally.begin(0, 3);
    tally.took(0, new TakenValues(List.of(1L, 2L, 3L), TimeUnit.MICROSECONDS.toNanos(900), 0));
    assertThat(tally.taken()).isEqualTo(3);
    assertThat(tally.taking().getTotalCount()).isEqualTo(3);
    assertThat(tally.taking().getMinValue()).isBetween(899_000L, 901_000L);
    assertThat(tally.taking().getMaxValue()).isBetween(899_000L, 901_000L);
  }

  @Test
  void noMoreIterationsAreBegunThanThereAre() {
    assertThat(LongStream.of(4, 4, 4, 4).map(n -> tally.begin(0, (int) n)).sum()).isEqualTo(10);
  }

  @Test
  void aValueThatCameTwiceIsADuplicate() {
    for (long value : new long[] {5, 6, 5, 5}) {
      tally.begin(0, 1);
      tally.took(0, value(value, 1));
    }
    assertThat(tally.duplicates()).isEqualTo(2);
  }

  @Test
  void theLongestWaitIsTheLargestOfAll() {
    for (long reservations : new long[] {0, 2, 1}) {
      tally.begin(0, 1);
      tally.took(0, new TakenValues(List.of(reservations), 1, reservations));
    }
    assertThat(tally.longestWait()).isEqualTo(2);
  }

  @Test
  void whatComesAfterTheStopIsUnfinishedAndNotCounted() {
    tally.begin(0, 1);
    tally.took(0, value(1, 1));
    tally.begin(0, 1);
    tally.begin(1, 1);
    tally.begin(2, 1);
    tally.took(2, value(2, 1));
    tally.stop();
    tally.took(0, value(3, 1));
    tally.failed(1, 1, new IllegalStateException("late"));

    assertThat(tally.taken()).isEqualTo(2);
    assertThat(tally.failed()).isZero();
    assertThat(tally.unfinished()).isEqualTo(2);
    assertThat(tally.longestUnfinishedMillis()).isPositive();
    assertThat(tally.begin(2, 1)).isZero();
  }

  @Test
  void aHistogramHoldsNothingBelowZeroOrAboveAnHour() {
    assertThat(Tally.inRange(-1)).isZero();
    assertThat(Tally.inRange(Long.MAX_VALUE)).isEqualTo(TimeUnit.HOURS.toNanos(1));
  }

  @Test
  void lessThanAMicrosecondIsNotNothing() {
    tally.begin(0, 1);
    tally.took(0, new TakenValues(List.of(1L), 300, 0));
    assertThat(tally.taking().getMaxValue()).isEqualTo(300);
  }

  @Test
  void whenNoMoreIsBegunWhatWasBegunIsStillCounted() {
    tally.begin(0, 1);
    tally.stopNewIterations();
    assertThat(tally.begin(1, 1)).isZero();
    tally.took(0, value(1, 1));
    assertThat(tally.taken()).isEqualTo(1);
  }

  @Test
  void theAgeOfWhatIsUnfinishedEndsWithTheRun() {
    tally.begin(0, 1);
    tally.stop();
    double age = tally.longestUnfinishedMillis();
    assertThat(age).isPositive();
    long later = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
    while (System.nanoTime() < later) {
      Thread.onSpinWait();
    }
    tally.stop();
    assertThat(tally.longestUnfinishedMillis()).isEqualTo(age);
  }
}
