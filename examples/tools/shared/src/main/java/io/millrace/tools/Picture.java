package io.millrace.tools;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/** Writes charts, one above the other, to an image file. */
public final class Picture {

  /** The message to print if {@link #canDraw} is false. */
  public static final String NO_FONTS =
      "this JDK has no fonts; install fontconfig and a font package";

  private static final String PNG = ".png";
  private static final String SVG = ".svg";

  private final List<? extends Chart<?, ?>> charts;

  /** A picture of one chart. */
  public Picture(Chart<?, ?> chart) {
    this(List.of(chart));
  }

  /** A picture of several charts, from top to bottom. */
  public Picture(List<? extends Chart<?, ?>> charts) {
    this.charts = charts;
  }

  /** Whether this JDK can draw text; a JDK without fonts cannot. */
  public static boolean canDraw() {
    try {
      new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics().getFontMetrics();
      return true;
    } catch (RuntimeException | LinkageError | InternalError noFonts) {
      return false;
    }
  }

  /** Whether a file's name ends with .png or .svg. */
  public static boolean isPicture(Path file) {
    return file.toString().endsWith(PNG) || isSvg(file);
  }

  private static boolean isSvg(Path file) {
    return file.toString().endsWith(SVG);
  }

  /** The files that {@link #writeBoth} writes. */
  public static List<Path> both(Path name) {
    return Stream.of(PNG, SVG).map(end -> Path.of(name + end)).toList();
  }

  /**
   * Writes {@code NAME.png} and {@code NAME.svg}.
   *
   * @return the files
   */
  public List<Path> writeBoth(Path name) throws IOException {
    List<Path> files = both(name);
    for (Path file : files) {
      write(file);
    }
    return files;
  }

  /** Writes SVG if the file's name ends with .svg, and PNG if not. */
  public void write(Path file) throws IOException {
    if (isSvg(file)) {
      writeSvg(file);
    } else {
      writePng(file);
    }
  }

  private void writePng(Path file) throws IOException {
    BufferedImage image = new BufferedImage(width(), height(), BufferedImage.TYPE_INT_RGB);
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
    PageSize page = new PageSize(width(), height());
    try (OutputStream out = Files.newOutputStream(file)) {
      new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
    }
  }

  private void paint(Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width(), height());
    for (Chart<?, ?> chart : charts) {
      chart.paint(graphics, chart.getWidth(), chart.getHeight());
      graphics.translate(0, chart.getHeight());
    }
  }

  private int width() {
    return charts.stream().mapToInt(Chart::getWidth).max().orElse(1);
  }

  private int height() {
    return charts.stream().mapToInt(Chart::getHeight).sum();
  }
}
