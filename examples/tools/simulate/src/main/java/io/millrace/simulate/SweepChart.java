package io.millrace.simulate;

import io.millrace.simulate.Sweep.Point;
import io.millrace.tools.ChartStyle;
import io.millrace.tools.Picture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of throughput, added latency and waiting over a swept setting, one above the other. */
final class SweepChart {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 320;

  private final Sweep sweep;
  private final List<Point> points;
  private final List<XYChart> panels;

  SweepChart(Sweep sweep, List<Point> points) {
    this.sweep = sweep;
    this.points = points;
    this.panels =
        List.of(
            panel("throughput", "values/s", Outcome::throughput),
            panel(latencyTitle(), "ms", each -> each.addedLatency().p99()),
            panel("values that wait", "%", each -> 100 * each.stallProbability()));
  }

  private String latencyTitle() {
    boolean isExact = points.stream().map(Point::outcome).noneMatch(Outcome::isCutOff);
    return "99th percentile of added latency" + (isExact ? "" : "; at least, where overloaded");
  }

  private XYChart panel(String title, String unit, ToDoubleFunction<Outcome> value) {
    XYChart panel =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .theme(ChartTheme.Matlab)
            .title(title)
            .xAxisTitle(sweep.setting().name())
            .yAxisTitle(unit)
            .build();
    double[] x = points.stream().mapToDouble(Point::value).toArray();
    double[] y = points.stream().map(Point::outcome).mapToDouble(value).toArray();
    panel.addSeries(unit, x, y).setMarker(SeriesMarkers.CIRCLE);
    ChartStyle.set(panel.getStyler());
    panel.getStyler().setLegendVisible(false);
    panel.getStyler().setXAxisLogarithmic(x[0] > 0 && x[x.length - 1] >= 10 * x[0]);
    panel.getStyler().setYAxisMin(0.0);
    double largest = DoubleStream.of(y).max().orElse(0);
    panel.getStyler().setYAxisMax(largest > 0 ? 1.05 * largest : 1.0);
    panel.getStyler().setYAxisDecimalPattern(largest >= 100 ? "#,##0" : "0.####");
    panel.getStyler().setXAxisDecimalPattern("#,##0");
    return panel;
  }

  /** Writes PNG or SVG, by the end of the file's name. */
  void write(Path file) throws IOException {
    new Picture(panels).write(file);
  }
}
