package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

class PictureTest {

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private Path directory;

  private static XYChart chart(int width, int height) {
    XYChart chart = new XYChartBuilder().width(width).height(height).build();
    chart.addSeries("values", new double[] {1, 2, 3}, new double[] {1, 4, 9});
    return chart;
  }

  @Test
  void aChartIsWrittenAsPngAndAsSvg() throws IOException {
    Path name = directory.resolve("chart.of.values");
    List<Path> files = new Picture(chart(300, 200)).writeBoth(name);

    assertThat(files)
        .containsExactly(Path.of(name + ".png"), Path.of(name + ".svg"))
        .isEqualTo(Picture.both(name));
    assertThat(Files.readAllBytes(files.get(0))).startsWith(0x89, 'P', 'N', 'G');
    assertThat(Files.readString(files.get(1))).contains("<svg", "<path");
  }

  @Test
  void severalChartsAreOneAboveTheOther() throws IOException {
    Path file = directory.resolve("charts.png");
    new Picture(List.of(chart(300, 200), chart(250, 100))).write(file);

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(300);
    assertThat(image.getHeight()).isEqualTo(300);
  }

  @Test
  void aPictureIsKnownByItsName() {
    assertThat(List.of("a.png", "b.svg")).map(Path::of).allMatch(Picture::isPicture);
    assertThat(List.of("a.gif", "png", "a.png.txt")).map(Path::of).noneMatch(Picture::isPicture);
  }
}
