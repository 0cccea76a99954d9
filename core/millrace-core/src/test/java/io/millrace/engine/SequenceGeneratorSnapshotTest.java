package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGeneratorSnapshot;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The figures of a generator as text. */
class SequenceGeneratorSnapshotTest {

  @Test
  void theTextOfAnUnusedGeneratorSaysThatWhatIsLeftIsUnknown() {
    assertThat(GeneratorHandle.unused("s", false))
        .hasToString(
            "SequenceGeneratorSnapshot[name=s, buffered=0, waiters=0, unmetDemand=0,"
                + " reservations=0, issued=0, discarded=0, blockSize=0, lowWatermark=0,"
                + " reservationInFlight=false, lastFailure=null, failing=false, disposed=false,"
                + " remaining=unknown]");
  }

  @Test
  void theTextShowsEachFigure() {
    assertThat(
            new SequenceGeneratorSnapshot(
                "s",
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                true,
                new IllegalStateException("no connection"),
                true,
                true,
                OptionalLong.of(70)))
        .hasToString(
            "SequenceGeneratorSnapshot[name=s, buffered=1, waiters=2, unmetDemand=3,"
                + " reservations=4, issued=5, discarded=6, blockSize=7, lowWatermark=8,"
                + " reservationInFlight=true,"
                + " lastFailure=java.lang.IllegalStateException: no connection, failing=true,"
                + " disposed=true, remaining=70]");
  }
}
