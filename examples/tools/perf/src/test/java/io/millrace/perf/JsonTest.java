package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonTest {

  private static final Latencies TAKING = Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001);

  @Test
  void theDocumentParsesAndHoldsTheFiguresOfEveryRun() {
    Workload sync = Samples.WORKLOAD.with(Mode.SYNC, 10);
    String text =
        Json.of(
            "--all",
            "an emulator",
            "2026-01-01T00:00:00Z",
            Samples.ROUND_TRIPS,
            List.of(
                Samples.done(
                    Samples.WORKLOAD.withTimerOnly(Duration.ofSeconds(1)), 1_000, TAKING, 2),
                Samples.some(sync, 5, 0, 7, 1_000, TAKING, 0),
                Samples.done(Samples.WORKLOAD.with(Mode.NATIVE, 10), 1_000, TAKING, 0)));

    JsonNode document = JsonMapper.shared().readTree(text);
    assertThat(document.get("command").stringValue()).isEqualTo("--all");
    assertThat(document.get("database").stringValue()).isEqualTo("an emulator");
    assertThat(document.get("ended").stringValue()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(document.at("/roundTrips/asRun/p50").longValue()).isEqualTo(5_900_000);
    assertThat(document.at("/roundTrips/withoutProxy/p50").longValue()).isEqualTo(600_000);
    assertThat(document.get("runs")).hasSize(3);
    JsonNode first = document.at("/runs/0");
    assertThat(first.propertyNames()).first().isEqualTo("mode");
    assertThat(first.get("mode").stringValue()).isEqualTo("ASYNC_BATCH");
    assertThat(first.get("valuesPerSecond").doubleValue()).isEqualTo(2_000.0);
    assertThat(first.at("/warmUp/values").intValue()).isEqualTo(700);
    assertThat(first.get("application").stringValue()).isEqualTo("TIMER");
    assertThat(first.at("/first/max").longValue()).isEqualTo(90_000_000);
    assertThat(first.at("/taking/p99").longValue()).isEqualTo(17_000_000);
    assertThat(first.at("/reserved/longestWait").longValue()).isEqualTo(2);
    JsonNode second = document.at("/runs/1");
    assertThat(second.at("/errors/SequenceTimeoutException").intValue()).isEqualTo(7);
    assertThat(second.has("reserved")).isFalse();
    assertThat(document.at("/runs/2/reserved").propertyNames())
        .contains("waste")
        .doesNotContain("longestWait", "many");
  }
}
