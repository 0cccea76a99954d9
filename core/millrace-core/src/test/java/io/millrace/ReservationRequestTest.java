package io.millrace;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationRequestTest {

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aRequestForNothingIsRefused(long size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReservationRequest("s", size, null))
        .withMessage("a reservation has at least 1 value, was " + size);
  }

  @Test
  void aStartValueWithoutAValueIsRefused() {
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> new ReservationRequest("s", 1, Long.MAX_VALUE));
  }
}
