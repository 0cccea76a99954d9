package io.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  private int run(String... arguments) {
    return Simulate.commandLine(new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints))
        .execute(arguments);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void itSaysWhatItSimulatedWhatThatShowedAndWhatIsNeeded() {
    assertThat(run("--duration=1m", "--deaths-per-hour=3")).isZero();
    assertThat(output())
        .contains("10 instances, 1,000 values/s in all (poisson), 1 row")
        .contains("round trip 2ms, lock held 5ms")
        .contains("block 200, watermark 50, largest reservation 10,000; warm start, 1m simulated")
        .containsPattern("throughput +(99\\d|1,00\\d)")
        .containsPattern("values/h at 3 deaths/h")
        .contains("at most 0.1 % of the values wait, rows busy at most 70 % of the time")
        .containsPattern("Recommendation: block >= \\d+, watermark >= \\d+, stripes >= 1\n");
  }

  @Test
  void whatIsRecommendedReachesTheGoalWhenItIsSimulated() {
    assertThat(run("--duration=2m", "--rate=30000", "--rtt=lognormal:3ms,20ms")).isZero();
    Matcher found =
        Pattern.compile("block >= (\\d+), watermark >= (\\d+), stripes >= (\\d+)")
            .matcher(output());
    assertThat(found.find()).isTrue();
    printed.reset();

    double stalls = 0;
    for (int seed = 3; seed <= 10; seed++) {
      printed.reset();
      assertThat(
              run(
                  "--duration=2m",
                  "--rate=30000",
                  "--rtt=lognormal:3ms,20ms",
                  "--seed=" + seed,
                  "--no-recommend",
                  "--block-size=" + found.group(1),
                  "--watermark=" + found.group(2),
                  "--stripes=" + found.group(3)))
          .isZero();
      Matcher waited = Pattern.compile("values that waited +([\\d.]+) %").matcher(output());
      assertThat(waited.find()).as(output()).isTrue();
      stalls += Double.parseDouble(waited.group(1)) / 8;
    }
    assertThat(stalls).isBetween(0.02, 0.15);
  }

  @Test
  void theSameOptionsPrintTheSame() {
    String[] options = {
      "--instances=30", "--duration=30s", "--rtt=exp:4ms", "--stripes=3", "--sweep=rate=100..5000"
    };
    run(options);
    String first = output();
    printed.reset();
    run(options);
    assertThat(output()).isEqualTo(first).contains("stripes (the better of two)");
  }

  @Test
  void aGoalThatCannotBeReachedIsExitCode1() {
    assertThat(
            run(
                "--duration=10s",
                "--rate=100000",
                "--max-block-size=50",
                "--block-size=50",
                "--max-stripes=2"))
        .isEqualTo(1);
    assertThat(output()).contains("not reached with blocks up to 50 and up to 2 stripes");
  }

  @Test
  void rowsThatCannotKeepUpAreCalledOverloaded() {
    assertThat(run("--duration=1m", "--rate=3e6", "--max-block-size=300", "--no-recommend"))
        .isZero();
    assertThat(output())
        .contains("OVERLOADED: 3,000,000 values/s are requested")
        .contains("and reservations of 300 provide 60,000 at most")
        .containsPattern("ended after [\\d.]+ s: more than 5,000,000 values waited at once")
        .containsPattern("waiting at the end +\\d,\\d+,\\d+ of the values")
        .doesNotContain("Recommendation");
  }

  @Test
  void overloadedPointsOfASweepAreMarkedAndTheirLatenciesAreLowerBounds() {
    run(
        "--duration=10s",
        "--rate=50000",
        "--max-block-size=200",
        "--no-recommend",
        "--sweep=stripes=1..2");
    assertThat(output())
        .containsPattern(" 1 +[\\d,]+ +> [\\d,.]+ ms .*overloaded\\n")
        .containsPattern(" 2 +[\\d,]+ +[\\d.]+ ms [^a-z]*\\n");
  }

  @Test
  void inTheOrderedModeThereIsNothingToRecommend() {
    assertThat(run("--block-size=1", "--duration=10s")).isZero();
    assertThat(output())
        .contains("No recommendation: with --block-size 1 each value waits")
        .doesNotContain("Goal:");
  }

  @Test
  @Tag("long")
  void itSaysHowLongTheRunsOfTheSearchWereAndWhy() {
    run("--duration=10m");
    assertThat(output()).containsPattern("from a warm start; the last, .* and seed \\d+, of 10m:");
    run("--duration=1s", "--start=cold");
    assertThat(output()).contains(", of 100s (lengthened, as shorter ones show too little):");
    run("--duration=30m", "--rate=100000", "--service-time=1ms");
    assertThat(output())
        .containsPattern("of \\d+m?s \\(shortened, as longer ones take minutes\\):");
    run("--duration=1m", "--rate=0.001");
    assertThat(output()).contains("(says little: only 31.62 values may wait in such a run)");
  }

  @Test
  void aReservationThatAGeneratorWouldGiveUpIsNoted() {
    run("--duration=1m", "--service-time=11s", "--no-recommend");
    assertThat(output()).contains("NOTE: some reservations took more than 10 s");
    printed.reset();
    run("--duration=1m", "--service-time=9ms", "--no-recommend");
    assertThat(output()).doesNotContain("NOTE");
  }

  @Test
  void smallNumbersAreNotPrintedAsZero() {
    run(
        "--duration=1h",
        "--rate=0.002",
        "--goal-stall=0.000001",
        "--block-size=2",
        "--watermark=0");
    assertThat(output())
        .contains("0.00200 values/s in all")
        .contains("at most 0.0001 % of the values wait");
  }

  @Test
  void theBlocksOfAChartGoUpToTheLargest(@TempDir Path directory) {
    Path png = directory.resolve("chart.png");
    assertThat(run("--duration=1s", "--no-recommend", "--block-size=200000", "--chart=" + png))
        .isZero();
    assertThat(output()).containsPattern("\\n +20,000 ").containsPattern("\\n +200,000 ");
  }

  @Test
  void everyFigureIsInTheJson(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("new/figures.json");
    assertThat(
            run("--duration=20s", "--deaths-per-hour=7", "--json=" + file, "--sweep=stripes=1..4"))
        .isZero();
    JsonNode figures = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(figures.at("/scenario/block").asLong()).isEqualTo(200);
    assertThat(figures.at("/scenario/durationNanos").asLong()).isEqualTo(20_000_000_000L);
    assertThat(figures.at("/scenario/service/meanNanos").asLong()).isEqualTo(5_000_000);
    assertThat(figures.at("/outcome/throughputPerSecond").asDouble()).isBetween(900.0, 1_100.0);
    assertThat(figures.at("/outcome/addedLatency/p99Millis").isNumber()).isTrue();
    assertThat(figures.at("/deathsPerHour").asDouble()).isEqualTo(7);
    assertThat(figures.at("/valuesLostPerHour").asDouble())
        .isEqualTo(7 * figures.at("/outcome/atRisk").asDouble());
    assertThat(figures.at("/search/plan/settings/watermark").isNumber()).isTrue();
    assertThat(figures.at("/search/plan/check/stallProbability").asDouble())
        .isLessThanOrEqualTo(0.001);
    assertThat(figures.at("/sweep").propertyNames()).containsExactly("setting", "points");
    assertThat(figures.at("/sweep/points")).hasSize(4);
  }

  @Test
  void theChartIsAPicture(@TempDir Path directory) throws Exception {
    Path png = directory.resolve("new/chart.png");
    assertThat(run("--duration=10s", "--no-recommend", "--chart=" + png)).isZero();
    BufferedImage image = ImageIO.read(png.toFile());
    Set<Integer> colours = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x += 3) {
        colours.add(image.getRGB(x, y));
      }
    }
    assertThat(colours).hasSizeGreaterThan(20);
    assertThat(output()).contains("Chart: " + png).containsPattern("2,000 +[\\d,.]+ +0 ms");

    Path svg = directory.resolve("chart.svg");
    assertThat(run("--duration=10s", "--no-recommend", "--chart=" + svg, "--sweep=block=20..60"))
        .isZero();
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Document document = factory.newDocumentBuilder().parse(svg.toFile());
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("path").getLength()).isGreaterThan(50);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--instances=0 | --instances must be from 1 to 10000, was 0",
        "--instances=10001 | --instances must be from 1 to 10000, was 10001",
        "--rate=0 | --rate must be from 0.001 to 100000000, was 0",
        "--rate=NaN | --rate must be from 0.001 to 100000000, was NaN",
        "--stripes=1025 | --stripes must be from 1 to 1024, was 1025",
        "--block-size=0 | --block-size must be from 1 to 1000000, was 0",
        "--watermark=200 | --watermark must be from 0 to 199 (block - 1), was 200",
        "--max-block-size=1 | --max-block-size must be from 2 to 1000000, was 1",
        "--duration=0s | --duration must be from 1ms to 8784h, was 0s",
        "--duration=10 | must be a number with ns, us, ms, s, m or h, was '10'",
        "--rtt=uniform:5ms | was 'uniform:5ms'",
        "--service-time=2m | --service-time must be from 0s to 1m on average, was 2m",
        "--deaths-per-hour=-1 | --deaths-per-hour must be from 0 to 1000000, was -1",
        "--goal-stall=2 | --goal-stall must be from 0 to 1, was 2",
        "--goal-busy=0 | --goal-busy must be from 0.01 to 0.99, was 0",
        "--goal-busy=1 | --goal-busy must be from 0.01 to 0.99, was 1",
        "--block-size=1 --stripes=2 | --block-size must be from 2 to 1000000 with --stripes 2, was 1",
        "--block-size=1 --sweep=stripes=1..2 | the last value of --sweep must be from 1 to 1, was 2",
        "--stripes=2 --sweep=block=1..9 | first value of --sweep must be from 2 to 1000000, was 1",
        "--json=/ | --json must be a file that can be written, was /",
        "--chart=/dev/null/x.png | --chart must be a file that can be written, was /dev/null/x.png",
        "--max-stripes=0 | --max-stripes must be from 1 to 1024, was 0",
        "--arrivals=never | poisson",
        "--sweep=block | must be like block=10..10000",
        "--sweep=colour=1..2 | was 'colour=1..2'",
        "--sweep=block=9..2 | the smaller number first",
        "--sweep=stripes=1..2000 | the last value of --sweep must be from 1 to 1024, was 2000",
        "--chart=picture.gif | --chart must end with .png or .svg, was picture.gif",
      })
  void aWrongOptionIsRefusedWithItsValueAndItsLimit(String option, String complaint) {
    assertThat(run(option.split(" "))).isEqualTo(2);
    assertThat(complaints.toString()).contains(complaint).hasLineCount(1);
    assertThat(output()).isEmpty();
  }

  @Test
  void whatWouldTakeTooLongIsRefused() {
    assertThat(run("--duration=1000h", "--block-size=1", "--rate=10000")).isEqualTo(2);
    assertThat(complaints.toString())
        .contains("--duration 1000h means about", "at most", "or a larger block");
    assertThat(
            run(
                "--duration=1h",
                "--sweep=rate=1000..1000000",
                "--service-time=10us",
                "--block-size=1"))
        .isEqualTo(2);
    assertThat(complaints.toString()).contains("--duration 1h means about");
    assertThat(output()).isEmpty();
  }
}
