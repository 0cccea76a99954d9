package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TapesTest {

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private Path tape(Mode mode, int lane) {
    return new TapeName(mode, 3, 14, lane).in(directory);
  }

  @Test
  void aTapeLongerThanAMappingIsReadInTheOrderOfItsValues() {
    Path file = tape(Mode.BATCH, 0);
    ValueTape tape = new ValueTape(file);
    long subscription = tape.subscription();
    int count = 100_000;
    for (long value = 1; value <= count; value++) {
      tape.received(subscription, value);
    }

    Values values = Values.read(file);

    assertThat(values.values().toLongArray()).hasSize(count).startsWith(1L, 2L).endsWith(count);
    assertThat(values.falls()).isEmpty();
    assertThat(values.subscriptions()).isEqualTo(1);
  }

  @Test
  void aValueThatDoesNotRiseWithinItsSubscriptionIsNamed() {
    ValueTape tape = new ValueTape(tape(Mode.BATCH, 1));
    long subscription = tape.subscription();
    tape.received(subscription, 5);
    tape.received(subscription, 4);

    assertThat(Values.read(tape(Mode.BATCH, 1)).falls())
        .containsExactly("process 3, life 14, lane 1, subscription 1 received 5, then 4");
  }

  @Test
  void valuesOfDifferentSubscriptionsMayFall() {
    ValueTape tape = new ValueTape(tape(Mode.BATCH, 0));
    tape.received(tape.subscription(), 5);
    tape.received(tape.subscription(), 4);

    assertThat(Values.read(tape(Mode.BATCH, 0)).falls()).isEmpty();
  }

  @Test
  void aLateValueOfACancelledSubscriptionIsComparedWithItsOwn() {
    ValueTape tape = new ValueTape(tape(Mode.BATCH, 0));
    long cancelled = tape.subscription();
    long next = tape.subscription();
    tape.received(cancelled, 5);
    tape.received(next, 20);
    tape.received(cancelled, 6);
    tape.received(next, 21);
    assertThat(Values.read(tape(Mode.BATCH, 0)).falls()).isEmpty();

    tape.received(cancelled, 3);
    assertThat(Values.read(tape(Mode.BATCH, 0)).falls())
        .containsExactly("process 3, life 14, lane 0, subscription 1 received 6, then 3");
  }

  @Test
  void aRequestThatWasNotAnsweredHasNoValue() {
    TimedTape tape = new TimedTape(tape(Mode.ORDERED, 0));
    int answered = tape.invoked();
    tape.received(answered, 1);
    int cancelled = tape.invoked();
    tape.left(cancelled);
    tape.invoked(); // the process dies

    Requests requests = new Requests();
    requests.read(tape(Mode.ORDERED, 0));

    assertThat(requests.values().toLongArray()).containsExactly(1L);
    assertThat(requests.left()).isEqualTo(2);
    assertThat(requests.ends().getLong(0)).isGreaterThanOrEqualTo(requests.starts().getLong(0));
  }

  @Test
  void aValueThatComesAfterTheCancelCounts() {
    TimedTape tape = new TimedTape(tape(Mode.ORDERED, 0));
    int request = tape.invoked();
    tape.left(request);
    tape.received(request, 1);
    tape.left(request); // does not erase the time

    Requests requests = new Requests();
    requests.read(tape(Mode.ORDERED, 0));

    assertThat(requests.values().toLongArray()).containsExactly(1L);
    assertThat(requests.ends().getLong(0)).isLessThan(Long.MAX_VALUE);
    assertThat(requests.left()).isZero();
  }

  @Test
  void aValueCountsIfTheProcessDiesBeforeItsTimeIsWritten() {
    Tape tape = new Tape(tape(Mode.ORDERED, 0));
    tape.append(1_000);
    tape.append(7);

    Requests requests = new Requests();
    requests.read(tape(Mode.ORDERED, 0));

    assertThat(requests.values().toLongArray()).containsExactly(7);
    assertThat(requests.ends().getLong(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theParentFollowsTapesWhileTheyAreWritten() {
    Map<Mode, LiveCounts.Total> totals = Watch.totals(List.of(Mode.BATCH, Mode.ORDERED));
    LiveCounts counts = new LiveCounts(directory, 3, 14, totals);
    counts.read();
    assertThat(counts.missing()).containsExactly(Mode.ORDERED, Mode.BATCH);

    ValueTape values = new ValueTape(tape(Mode.BATCH, 0));
    long subscription = values.subscription();
    values.received(subscription, 7);
    TimedTape requests = new TimedTape(tape(Mode.ORDERED, 1));
    int open = requests.invoked();
    counts.read();
    assertThat(counts.missing()).containsExactly(Mode.ORDERED);

    values.received(subscription, 8);
    requests.received(open, 9);
    counts.read();
    assertThat(counts.missing()).isEmpty();
    assertThat(total(totals, Mode.BATCH).count()).isEqualTo(2);
    assertThat(total(totals, Mode.BATCH).largest()).isEqualTo(8);
    assertThat(total(totals, Mode.ORDERED).largest()).isEqualTo(9);

    counts.forget();
    counts.read();
    assertThat(counts.missing()).containsExactly(Mode.ORDERED, Mode.BATCH);
  }

  private static LiveCounts.Total total(Map<Mode, LiveCounts.Total> totals, Mode mode) {
    return Objects.requireNonNull(totals.get(mode));
  }

  @Test
  void metersSurviveInTheirFile() {
    Meters meters = Meters.open(directory, 1, 2);
    meters.reserved("batch", 100, 1);
    meters.discarded("batch", 30);
    meters.released("batch", 20);

    Meters read = Meters.read(directory, 1, 2);

    assertThat(Books.balances(read, Mode.BATCH, 50)).isTrue();
    assertThat(Books.balances(read, Mode.BATCH, 49)).isFalse();
    assertThat(Meters.read(directory, 1, 3).get(Mode.BATCH, Meters.Count.RESERVED)).isZero();
  }
}
