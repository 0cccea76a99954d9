package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class JobTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void everyOrderIsInsertedOnceAndReadBack() {
    assertThat(run(new InMemoryOrders(), 10_000)).isTrue();
    assertThat(output())
        .contains("Rows inserted     10,000", "Distinct ids      10,000", "customer-")
        .contains("inserted 10000 of 10000 orders");
  }

  @Test
  void everyOrderIsInsertedOnceIntoAnEmbeddedDatabase() {
    try (OrderDatabase database = H2Orders.create()) {
      assertThat(run(database, 10_000)).isTrue();
    }
    assertThat(output())
        .contains("Rows inserted     10,000", "Distinct ids      10,000", "customer-")
        .contains("inserted 10000 of 10000 orders");
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
    assertThat(output()).contains("FAILED: 1 numbers are doubled");
  }

  @Test
  void theHistogramShowsThePlainNumberInOnePartAndTheSpreadKeyInAll() {
    run(new InMemoryOrders(), 1_600);
    String all = "      0    1600 " + "#".repeat(24) + "     100 ##";
    assertThat(output()).contains(all);
    assertThat(output()).contains("     15       0 " + " ".repeat(24) + "     100 ##");
    assertThat(output().lines().filter(line -> line.matches(" +\\d+ +\\d+ #+"))).hasSize(16);
  }

  private boolean run(OrderDatabase database, int orders) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Job(database, orders, 100, out).run(false);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
