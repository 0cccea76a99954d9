package io.millrace.spring.data.spanner;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A container of the Spanner emulator with {@code @ServiceConnection}. */
class EmulatorInContainerTest {

  @Test
  void refusesAnEmulatorThatTheEnvironmentDoesNotName() {
    EmulatorInContainer emulator = new EmulatorInContainer("localhost:32768");

    assertThatThrownBy(
            () -> emulator.checkNamedBy(Map.of("SPANNER_EMULATOR_HOST", "localhost:9010")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "localhost:32768", "SPANNER_EMULATOR_HOST is 'localhost:9010'", "9010:9010");
    emulator.checkNamedBy(Map.of("SPANNER_EMULATOR_HOST", "localhost:32768"));
  }
}
