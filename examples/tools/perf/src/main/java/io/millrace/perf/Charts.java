package io.millrace.perf;

import io.millrace.tools.ChartStyle;
import io.millrace.tools.Picture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws the rates and percentiles of runs by mode. */
final class Charts {

  private static final int HEIGHT = 600;

  private static final String THROUGHPUT = "-throughput";
  private static final String LATENCY = "-latency";

  /** The smallest values that are drawn, because a logarithmic axis has no zero. */
  private static final double LEAST_MILLIS = 0.00001;

  private static final double LEAST_RATE = 1;

  private final List<Figures> runs;

  Charts(List<Figures> runs) {
    this.runs = runs;
  }

  /**
   * Writes {@code NAME-throughput} and {@code NAME-latency}, each as PNG and SVG.
   *
   * @return the files
   */
  List<Path> write(Path name) throws IOException {
    new Picture(throughput()).writeBoth(named(name, THROUGHPUT));
    new Picture(latency()).writeBoth(named(name, LATENCY));
    return files(name);
  }

  /** The files that {@link #write(Path)} writes. */
  static List<Path> files(Path name) {
    return Stream.of(THROUGHPUT, LATENCY)
        .flatMap(end -> Picture.both(named(name, end)).stream())
        .toList();
  }

  private static Path named(Path name, String end) {
    return Path.of(name + end);
  }

  CategoryChart throughput() {
    CategoryChart chart = chart("Values a second", "values/s");
    series(chart, "here", run -> Math.max(LEAST_RATE, run.valuesPerSecond()));
    return spanned(chart);
  }

  CategoryChart latency() {
    CategoryChart chart = chart("Time of taking a value, without the application's", "ms");
    series(chart, "50%ile", run -> millis(run.taking().p50()));
    series(chart, "90%ile", run -> millis(run.taking().p90()));
    series(chart, "99%ile", run -> millis(run.taking().p99()));
    return spanned(chart);
  }

  private CategoryChart chart(String title, String unit) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(Math.max(600, 80 * runs.size()))
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("mode, clients")
            .yAxisTitle(unit)
            .build();
    ChartStyle.setBars(chart);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setXAxisLabelRotation(45);
    return chart;
  }

  /** Sets the axis from the power of ten below the smallest bar to the one above the largest. */
  private static CategoryChart spanned(CategoryChart chart) {
    DoubleSummaryStatistics bars =
        chart.getSeriesMap().values().stream()
            .flatMap(series -> series.getYData().stream())
            .filter(Objects::nonNull)
            .mapToDouble(Number::doubleValue)
            .summaryStatistics();
    chart.getStyler().setYAxisMin(Math.pow(10, Math.ceil(Math.log10(bars.getMin())) - 1));
    chart.getStyler().setYAxisMax(Math.pow(10, Math.floor(Math.log10(bars.getMax())) + 1));
    return chart;
  }

  private void series(CategoryChart chart, String name, Function<Figures, Double> figure) {
    chart.addSeries(name, labels(), runs.stream().map(figure).toList());
  }

  private List<String> labels() {
    return runs.stream().map(run -> run.mode() + ", " + run.clients()).toList();
  }

  private static double millis(long nanos) {
    return Math.max(LEAST_MILLIS, nanos / 1e6);
  }
}
