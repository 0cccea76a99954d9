package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

  private static final Latencies TAKING = new Latencies(2_000, 12, 34, 5_678, 17_000, 20_001);

  @Test
  void theDocumentParsesAndHoldsTheFiguresOfEveryRun() {
    Workload sync = Samples.WORKLOAD.with(Mode.SYNC, 10);
    String text =
        Json.of(
            "--all",
            "an emulator",
            "2026-01-01T00:00:00Z",
            List.of(
                Samples.done(Samples.WORKLOAD, 1_000, TAKING, 2),
                Samples.some(sync, 5, 0, 7, 1_000, TAKING, 0)));

    JsonObject document = JsonParser.parseString(text).getAsJsonObject();
    assertThat(document.get("command").getAsString()).isEqualTo("--all");
    assertThat(document.get("database").getAsString()).isEqualTo("an emulator");
    assertThat(document.get("ended").getAsString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(document.getAsJsonArray("runs")).hasSize(2);
    JsonObject first = document.getAsJsonArray("runs").get(0).getAsJsonObject();
    assertThat(first.get("mode").getAsString()).isEqualTo("ASYNC_BATCH");
    assertThat(first.get("valuesPerSecond").getAsDouble()).isEqualTo(2_000.0);
    assertThat(first.getAsJsonObject("taking").get("p99").getAsLong()).isEqualTo(17_000);
    assertThat(first.getAsJsonObject("reserved").get("longestWait").getAsLong()).isEqualTo(2);
    JsonObject second = document.getAsJsonArray("runs").get(1).getAsJsonObject();
    assertThat(second.getAsJsonObject("errors").get("SequenceTimeoutException").getAsInt())
        .isEqualTo(7);
    assertThat(second.has("reserved")).isFalse();
  }
}
