package io.millrace.spring.data.spanner;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The URL of an emulator that the environment does not name. */
class EmulatorUrlTest {

  @Test
  void onlyAnEmulatorsUrlNeedsTheVariable() {
    String emulator = "r2dbc:cloudspanner://emulator:9010/projects/p/instances/i/databases/d";
    Map<String, String> named = Map.of("SPANNER_EMULATOR_HOST", "emulator:9010");

    assertThatThrownBy(() -> new EmulatorUrl(emulator + "?usePlainText=true", Map.of()).check())
        .hasMessageContaining("SPANNER_EMULATOR_HOST=emulator:9010");
    assertThatThrownBy(() -> new EmulatorUrl(emulator + "?a=b&usePlainText=true", Map.of()).check())
        .hasMessageContaining("SPANNER_EMULATOR_HOST=emulator:9010");
    new EmulatorUrl(emulator + "?usePlainText=true", named).check();
    new EmulatorUrl("r2dbc:cloudspanner:///projects/p/instances/i/databases/d", Map.of()).check();
    new EmulatorUrl("r2dbc:postgresql://localhost/shop?usePlainText=true", Map.of()).check();
    new EmulatorUrl(null, Map.of()).check();
  }
}
