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
  void reversedBitsSpreadTheKeysAndReverseBack() {
    assertThat(Order.reverseBits(1)).isEqualTo(1L << 62);
    assertThat(Order.reverseBits(100)).isEqualTo(1369094286720630784L);
    assertThat(Order.reverseBits(-2)).isEqualTo(-4611686018427387905L);
    assertThat(Order.reverseBits(Order.reverseBits(123_456_789))).isEqualTo(123_456_789);
  }

  private boolean run(OrderDatabase database, int orders) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Job(database, orders, 100, out).run(false);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
