package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationRequestTest {

  @Test
  void aChangedRequestKeepsTheRest() {
    SkippedValues skipped = SkippedValues.NONE.and(3, 4);
    assertThat(
            new ReservationRequest("s", 5)
                .creatingMissing(7)
                .skipping(skipped)
                .withSequence("other"))
        .isEqualTo(new ReservationRequest("other", 5, 7L, skipped));
    assertThat(new ReservationRequest("s", 5))
        .isEqualTo(new ReservationRequest("s", 5, null, SkippedValues.NONE));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aRequestForNothingIsRefused(long size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReservationRequest("s", size))
        .withMessage("a reservation has at least 1 value, was " + size);
  }

  @Test
  void aStartValueWithoutAValueIsRefused() {
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> new ReservationRequest("s", 1).creatingMissing(Long.MAX_VALUE));
  }
}
