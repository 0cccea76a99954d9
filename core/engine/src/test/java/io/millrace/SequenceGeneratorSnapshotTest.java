package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of a generator as a value: each is kept, compared and shown. */
class SequenceGeneratorSnapshotTest {

  private static final Throwable FAILURE = new IllegalStateException("no connection");
  private static final CapacityWatch.Left LEFT =
      new CapacityWatch.Left(70, OptionalDouble.of(0.5), null);

  private static SequenceGeneratorSnapshot.Builder full() {
    return SequenceGeneratorSnapshot.builder("s")
        .buffered(1)
        .waiters(2)
        .unmetDemand(3)
        .reservations(4)
        .issued(5)
        .discarded(6)
        .batchSize(7)
        .lowWatermark(8)
        .reservationInFlight(true)
        .lastFailure(FAILURE)
        .failing(true)
        .disposed(true)
        .left(LEFT);
  }

  static List<UnaryOperator<SequenceGeneratorSnapshot.Builder>> changes() {
    return List.of(
        figures -> figures.buffered(0),
        figures -> figures.waiters(0),
        figures -> figures.unmetDemand(0),
        figures -> figures.reservations(0),
        figures -> figures.issued(0),
        figures -> figures.discarded(0),
        figures -> figures.batchSize(0),
        figures -> figures.lowWatermark(0),
        figures -> figures.reservationInFlight(false),
        figures -> figures.lastFailure(null),
        figures -> figures.failing(false),
        figures -> figures.disposed(false),
        figures -> figures.left(null));
  }

  @Test
  void eachFigureIsTheOneThatWasSet() {
    SequenceGeneratorSnapshot snapshot = full().build();
    assertThat(snapshot.sequence()).isEqualTo("s");
    assertThat(
            List.of(
                snapshot.buffered(),
                (long) snapshot.waiters(),
                snapshot.unmetDemand(),
                snapshot.reservations(),
                snapshot.issued(),
                snapshot.discarded(),
                snapshot.batchSize(),
                snapshot.lowWatermark()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(Stream.of(snapshot.reservationInFlight(), snapshot.failing(), snapshot.disposed()))
        .containsOnly(true);
    assertThat(snapshot.lastFailure()).isSameAs(FAILURE);
    assertThat(snapshot.remaining()).isEqualTo(OptionalLong.of(70));
    assertThat(snapshot.remainingShare()).isEqualTo(OptionalDouble.of(0.5));
    assertThat(snapshot.capacityAlarm()).isNull();
  }

  @Test
  void whatWasNotSetIsZeroFalseOrUnknown() {
    SequenceGeneratorSnapshot snapshot = SequenceGeneratorSnapshot.builder("s").build();
    assertThat(snapshot)
        .hasToString(
            "SequenceGeneratorSnapshot[sequence=s, buffered=0, waiters=0, unmetDemand=0,"
                + " reservations=0, issued=0, discarded=0, batchSize=0, lowWatermark=0,"
                + " reservationInFlight=false, lastFailure=null, failing=false, disposed=false,"
                + " remaining=unknown]");
    assertThat(snapshot.remaining()).isEmpty();
  }

  @Test
  void theTextShowsHowManyValuesAreLeft() {
    assertThat(full().build().toString()).endsWith("disposed=true, remaining=70]");
  }

  @Test
  void twoWithTheSameFiguresAreEqual() {
    assertThat(full().build()).isEqualTo(full().build()).hasSameHashCodeAs(full().build());
    assertThat(full().build().hashCode())
        .isNotEqualTo(SequenceGeneratorSnapshot.builder("s").build().hashCode());
    assertThat(full().build()).isNotEqualTo("s");
    assertThat(SequenceGeneratorSnapshot.builder("a").build())
        .isNotEqualTo(SequenceGeneratorSnapshot.builder("b").build());
  }

  @ParameterizedTest
  @MethodSource("changes")
  void twoThatDifferInOneFigureAreNotEqual(
      UnaryOperator<SequenceGeneratorSnapshot.Builder> change) {
    assertThat(change.apply(full()).build()).isNotEqualTo(full().build());
  }
}
