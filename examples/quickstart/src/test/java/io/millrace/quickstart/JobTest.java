package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tools.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategorySeries;
import reactor.core.publisher.Flux;

class JobTest {

  @TempDir Path folder = Path.of("");

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void everyOrderIsInsertedOnceAndReadBack() throws IOException {
    assertThat(run(new InMemoryOrders(), 10_000)).isTrue();
    assertThat(output())
        .contains("Rows inserted     10,000,", "Numbers           10,000 distinct", "customer-")
        .containsPattern("Transactions +1[01] for the numbers, .* instead of 10,000")
        .contains("inserted 10000 of 10000 orders");
  }

  @Test
  void everyOrderIsInsertedOnceIntoAnEmbeddedDatabase() throws IOException {
    try (OrderDatabase database = H2Orders.create()) {
      assertThat(run(database, 10_000)).isTrue();
    }
    assertThat(output())
        .contains("Rows inserted     10,000,", "Numbers           10,000 distinct", "customer-")
        .containsPattern("Transactions +1[01] for the numbers, .* instead of 10,000")
        .contains("inserted 10000 of 10000 orders");
  }

  @Test
  void aMissingRowFailsTheJob() throws IOException {
    OrderDatabase forgetful =
        new InMemoryOrders() {
          @Override
          public Flux<Order> readAll() {
            return super.readAll().skip(1);
          }
        };
    assertThat(run(forgetful, 1_000)).isFalse();
    assertThat(output()).contains("FAILED: expected 1000 rows, found 999");
  }

  @Test
  void aDoubledNumberFailsTheJob() throws IOException {
    OrderDatabase doubling =
        new InMemoryOrders() {
          @Override
          public Flux<Order> readAll() {
            Flux<Order> rows = super.readAll();
            return rows.skip(1).concatWith(rows.take(2).skip(1));
          }
        };
    assertThat(run(doubling, 1_000)).isFalse();
    assertThat(output()).contains("FAILED: 1 numbers are duplicates");
  }

  @Test
  void theHistogramShowsThePlainNumberInOnePartAndTheSpreadKeyInAll() throws IOException {
    run(new InMemoryOrders(), 1_600);
    String full = "#".repeat(16);
    assertThat(output())
        .contains(
            "     0    1600 " + full + "     100 " + full,
            "    15       0 " + " ".repeat(16) + "     100 " + full,
            "The longest bar of a column has 1,600, 100 and ",
            "Plain numbers would put 100 % of the rows into one part",
            "Reversed, the fullest part has 6 %");
    assertThat(output().lines().filter(line -> line.matches(" +\\d+ +\\d+ #* +\\d+ #+ +\\d+ #+")))
        .hasSize(16);
  }

  @Test
  void theLastLineNamesTheChart() throws IOException {
    run(new InMemoryOrders(), 1_600);
    assertThat(output().strip()).endsWith("Chart: " + chart());
    assertThat(chart()).content().contains("<svg");
  }

  @Test
  void theChartHasTheRowsOfEachPart() {
    List<Order> rows =
        LongStream.rangeClosed(1, 1_600)
            .mapToObj(n -> Order.draft(0).withNumber(n).withShard(n % 4))
            .toList();
    Map<String, CategorySeries> series = new Histogram(rows).chart().getSeriesMap();
    assertThat(heights(series, "key = the number")).startsWith(1_600, 0).hasSize(16);
    assertThat(heights(series, "key = its bits reversed")).containsOnly(100).hasSize(16);
    assertThat(heights(series, "shard of the customer")).startsWith(400, 400, 400, 400, 0);
  }

  private static List<Integer> heights(Map<String, CategorySeries> series, String name) {
    return Objects.requireNonNull(series.get(name), name).getYData().stream()
        .map(Number::intValue)
        .toList();
  }

  private Path chart() {
    return folder.resolve("demo.svg");
  }

  private boolean run(OrderDatabase database, int orders) throws IOException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Job(database, orders, 100, new OutputFile("--chart", chart()), out).run(false);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
