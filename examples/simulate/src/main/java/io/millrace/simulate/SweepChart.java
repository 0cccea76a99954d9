package io.millrace.simulate;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.millrace.simulate.Sweep.Point;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Throughput, added latency and waiting over a swept setting, one above the other. */
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
    panel.getStyler().setLegendVisible(false);
    panel.getStyler().setXAxisLogarithmic(x[0] > 0 && x[x.length - 1] >= 10 * x[0]);
    panel.getStyler().setYAxisMin(0.0);
    double largest = DoubleStream.of(y).max().orElse(0);
    panel.getStyler().setYAxisMax(largest > 0 ? 1.05 * largest : 1.0);
    panel.getStyler().setYAxisDecimalPattern(largest >= 100 ? "#,##0" : "0.####");
    panel.getStyler().setXAxisDecimalPattern("#,##0");
    panel.getStyler().setLocale(Locale.ROOT);
    return panel;
  }

  /** Writes PNG or SVG, as the file's name ends. */
  void write(Path file) throws IOException {
    if (isSvg(file)) {
      writeSvg(file);
    } else {
      writePng(file);
    }
  }

  static boolean isSvg(Path file) {
    return file.toString().endsWith(".svg");
  }

  static boolean isChart(Path file) {
    return isSvg(file) || file.toString().endsWith(".png");
  }

  private void writePng(Path file) throws IOException {
    BufferedImage image =
        new BufferedImage(WIDTH, HEIGHT * panels.size(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    paint(graphics);
    graphics.dispose();
    try (OutputStream out = Files.newOutputStream(file)) {
      ImageIO.write(image, "png", out);
    }
  }

  private void writeSvg(Path file) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    paint(graphics);
    PageSize page = new PageSize(WIDTH, HEIGHT * panels.size());
    try (OutputStream out = Files.newOutputStream(file)) {
      new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
    }
  }

  private void paint(Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT * panels.size());
    for (XYChart panel : panels) {
      panel.paint(graphics, WIDTH, HEIGHT);
      graphics.translate(0, HEIGHT);
    }
  }
}
