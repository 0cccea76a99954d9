package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void numbersAreWrittenTheSameWayEverywhere(@TempDir Path directory) throws IOException {
    Figures run =
        Samples.done(
            Samples.WORKLOAD, 1_000, Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001), 1);
    Locale.setDefault(Locale.ROOT);
    new Charts(List.of(run)).write(directory.resolve("here"));
    Locale.setDefault(Locale.GERMANY);
    new Charts(List.of(run)).write(directory.resolve("there"));
    assertThat(drawing(directory.resolve("there-latency.svg")))
        .as("drawn where people write 0,1")
        .hasSizeGreaterThan(1_000)
        .matches(drawing(directory.resolve("here-latency.svg"))::equals);
  }

  @Test
  void theLegendCoversNoBar() {
    Charts charts =
        new Charts(
            List.of(
                Samples.done(
                    Samples.WORKLOAD,
                    1_000,
                    Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001),
                    1)));
    assertThat(List.of(charts.throughput(), charts.latency()))
        .extracting(chart -> chart.getStyler().getLegendPosition())
        .allMatch(position -> position.name().startsWith("Outside"));
  }

  /** Without the names of its clips, which differ from one drawing to the next. */
  private static String drawing(Path svg) throws IOException {
    return Files.readString(svg).replaceAll("clip\\d+", "clip");
  }
}
