package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EnoughTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Faults faults = new Faults();

  private void happened(Faults.Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      faults.add(kind);
    }
  }

  private static ModeResult result(Mode mode, long received, long pairs) {
    return new ModeResult(mode, received, 1, 0, OptionalLong.empty(), pairs);
  }

  @Test
  void aRunWithFaultsAndValuesIsEnough() {
    happened(Faults.Kind.KILL, 10);
    happened(Faults.Kind.PAUSE, 1);
    happened(Faults.Kind.RENEWAL, 1);
    happened(Faults.Kind.LEAVE, 1);

    assertThat(
            Enough.check(
                MINUTE,
                faults,
                List.of(result(Mode.BATCH, 1_200, 0), result(Mode.ORDERED, 60, 100_000))))
        .isEmpty();
  }

  @Test
  void whatDidNotHappenIsNamed() {
    happened(Faults.Kind.KILL, 9);

    assertThat(
            Enough.check(
                MINUTE,
                faults,
                List.of(result(Mode.BATCH, 1_199, 0), result(Mode.ORDERED, 59, 99_999))))
        .extracting(Violation::toString)
        .containsExactly(
            "enough happened: kills: at least 10, was 9",
            "enough happened: PAUSE faults: at least 1, was 0",
            "enough happened: RENEWAL faults: at least 1, was 0",
            "enough happened: LEAVE faults: at least 1, was 0",
            "enough happened: BATCH values: at least 1200, was 1199",
            "enough happened: ORDERED values: at least 60, was 59",
            "enough happened: pairs in order: at least 100000, was 99999");
  }
}
