package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectTimesTest {

  @ParameterizedTest
  @CsvSource({
    ",,PT5S",
    "PT0S,,PT5S",
    "PT0S,PT2S,PT1.6S",
    "PT2562047788015215H,,PT5S",
    "PT10S,,PT5S",
    "PT4S,,PT3.2S",
    "PT4S,PT2S,PT1.6S",
    "PT2S,PT4S,PT1.6S",
    "PT1S,,PT1S",
    "PT0.001S,,PT1S"
  })
  void aConnectionIsMadeInFourFifthsOfTheShortestReservation(
      @Nullable Duration ofAll, @Nullable Duration ofOne, Duration limit) {
    MillraceProperties properties = MillracePropertiesTest.unset();
    properties.defaults().setReservationTimeout(ofAll);
    MillraceProperties.Sequence one = new MillraceProperties.Sequence();
    one.setReservationTimeout(ofOne);
    properties.sequences().put("one", one);
    assertThat(ConnectTimes.of(properties)).isEqualTo(limit);
  }
}
