package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

class ChartStyleTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  private static CategoryChart bars() {
    CategoryChart chart = new CategoryChartBuilder().width(400).height(300).build();
    ChartStyle.setBars(chart);
    chart.addSeries("values", List.of("a", "b"), List.of(0.125, 1_234.5));
    return chart;
  }

  @Test
  void numbersAreWrittenTheSameWayEverywhere(@TempDir Path directory) throws IOException {
    Locale.setDefault(Locale.ROOT);
    new Picture(bars()).write(directory.resolve("here.svg"));
    Locale.setDefault(Locale.GERMANY);
    new Picture(bars()).write(directory.resolve("there.svg"));
    assertThat(drawing(directory.resolve("there.svg")))
        .as("drawn where people write 0,1")
        .hasSizeGreaterThan(1_000)
        .matches(drawing(directory.resolve("here.svg"))::equals);
  }

  /** Without the names of its clips, which differ from one drawing to the next. */
  private static String drawing(Path svg) throws IOException {
    return Files.readString(svg).replaceAll("clip\\d+", "clip");
  }

  @Test
  void theLegendCoversNoBar() {
    assertThat(bars().getStyler().getLegendPosition().name()).startsWith("Outside");
  }
}
