package io.millrace.perf;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws the rate and the percentiles of runs, by mode, beside the guide's. */
final class Charts {

  private static final int HEIGHT = 600;

  /** A logarithmic axis has no zero: these are the least that is drawn. */
  private static final double LEAST_MILLIS = 0.00001;

  private static final double LEAST_RATE = 1;

  private final List<Figures> runs;

  Charts(List<Figures> runs) {
    this.runs = runs;
  }

  /** Whether this JDK can write text into a picture: some have no fonts. */
  static boolean canDraw() {
    try {
      new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics().getFontMetrics();
      return true;
    } catch (RuntimeException | LinkageError | InternalError e) {
      return false;
    }
  }

  /**
   * Writes {@code NAME-throughput} and {@code NAME-latency}, each as PNG and SVG.
   *
   * @return the files
   */
  List<Path> write(Path name) throws IOException {
    write(throughput(), name + "-throughput");
    write(latency(), name + "-latency");
    return files(name);
  }

  /** The files that {@link #write(Path)} writes. */
  static List<Path> files(Path name) {
    return Stream.of("-throughput.png", "-throughput.svg", "-latency.png", "-latency.svg")
        .map(end -> Path.of(name + end))
        .toList();
  }

  private static void write(CategoryChart chart, String name) throws IOException {
    BitmapEncoder.saveBitmap(chart, name + ".png", BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(chart, name + ".svg", VectorGraphicsFormat.SVG);
  }

  CategoryChart throughput() {
    CategoryChart chart = chart("Values a second", "values/s");
    series(chart, "here", run -> Math.max(LEAST_RATE, run.valuesPerSecond()));
    guidesSeries(chart, Guide::valuesPerSecond);
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
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS); // bars reach every corner inside
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLabelRotation(45);
    chart.getStyler().setLocale(Locale.ROOT);
    return chart;
  }

  /** From the power of ten below the smallest bar, so that it has a height, to that above all. */
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

  private void guidesSeries(CategoryChart chart, Function<Guide, Double> figure) {
    List<@Nullable Double> figures =
        runs.stream()
            .map(run -> Table.guide(run).map(figure).orElse(null))
            .collect(Collectors.toCollection(ArrayList::new));
    if (!figures.equals(Collections.nCopies(figures.size(), null))) {
      chart.addSeries("guide", labels(), figures);
    }
  }

  private List<String> labels() {
    return runs.stream().map(run -> run.mode() + ", " + run.clients()).toList();
  }

  private static double millis(long nanos) {
    return Math.max(LEAST_MILLIS, nanos / 1e6);
  }
}
