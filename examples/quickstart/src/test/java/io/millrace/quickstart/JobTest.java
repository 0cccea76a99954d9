package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

class JobTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  static Stream<OrderDatabase> databases() {
    return Stream.of(new InMemoryOrders(), H2Orders.create());
  }

  @ParameterizedTest
  @MethodSource("databases")
  void everyOrderIsInsertedOnceAndReadBack(OrderDatabase orders) {
    try (orders) {
      assertThat(run(orders, 10_000)).isTrue();
    }
    assertThat(output())
        .contains("Rows inserted     10,000,", "Numbers           10,000 distinct", "customer-")
        .containsPattern("Transactions +1[01] for the numbers, .* instead of 10,000");
  }

  @Test
  void aMissingRowFailsTheJob() {
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
  void aDoubledNumberFailsTheJob() {
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
  void theHistogramShowsThePlainNumberInOnePartAndTheSpreadKeyInAll() {
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

  private boolean run(OrderDatabase database, int orders) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Job(database, orders, 100, out).run();
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
