package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.insert.InsertOutcome;
import io.millrace.key.BitReversal;
import io.millrace.test.InMemorySequenceStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** One order in three tables. */
abstract class OrderTablesBehaviour extends DesignBehaviour {

  private static final Instant START = Instant.parse("2026-03-08T12:00:00Z");
  private static final int COUNT = 400;

  private OrderTables tables;
  private List<Order> orders;

  @BeforeAll
  void writeOrders() {
    tables = new OrderTables(client(), dialect());
    Random random = new Random(6);
    List<Order> drafts =
        IntStream.range(0, COUNT)
            .mapToObj(
                i ->
                    new Order(
                        0,
                        "buyer-" + random.nextInt(10),
                        "seller-" + random.nextInt(5),
                        START.plusSeconds(60L * i),
                        100L + i))
            .toList();
    SequenceGenerator numbers =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("order", 1), "order").build();
    orders =
        write(
            drafts,
            source ->
                source
                    .transform(numbers.map(BitReversal.PRESERVING_SIGN).assign(Order::withNumber))
                    .transform(tables.inserts().rows()));
  }

  @Test
  void anOrderIsReadByBuyerBySellerAndByNumber() {
    assertThat(all(tables.newestOfBuyer("buyer-3", 10)))
        .hasSize(10)
        .isEqualTo(
            orders.stream()
                .filter(order -> order.buyer().equals("buyer-3"))
                .sorted(Comparator.comparing(Order::placedAt).reversed())
                .limit(10)
                .toList());
    Instant from = START.plusSeconds(3_600);
    Instant to = START.plusSeconds(4 * 3_600);
    assertThat(all(tables.ofSeller("seller-2", from, to)))
        .hasSizeGreaterThan(10)
        .isEqualTo(
            orders.stream()
                .filter(order -> order.seller().equals("seller-2"))
                .filter(order -> !order.placedAt().isBefore(from) && order.placedAt().isBefore(to))
                .sorted(Comparator.comparing(Order::placedAt))
                .toList());
    List<Order> some = orders.subList(100, 120);
    assertThat(all(Flux.fromIterable(some).concatMap(order -> tables.find(order.number()))))
        .isEqualTo(some);
  }

  @Test
  void aNumberThatIsThereRejectsItsOrderFromAllThreeTables() {
    Order taken = orders.get(0);
    Order duplicate = new Order(taken.number(), "buyer-dup", "seller-dup", START, 1);
    Order good = new Order(-1, "buyer-new", "seller-new", START, 2);
    List<InsertOutcome<Order>> outcomes =
        write(List.of(duplicate, good), tables.inserts().outcomes());
    assertThat(outcomes)
        .filteredOn(InsertOutcome.Rejected.class::isInstance)
        .extracting(InsertOutcome::row)
        .containsExactly(duplicate);
    assertThat(outcomes)
        .filteredOn(InsertOutcome.Committed.class::isInstance)
        .extracting(InsertOutcome::row)
        .containsExactly(good);
    assertThat(all(tables.newestOfBuyer("buyer-dup", 10))).isEmpty();
    assertThat(all(tables.ofSeller("seller-dup", START, START.plusSeconds(1)))).isEmpty();
    assertThat(tables.find(taken.number()).block()).isEqualTo(taken);
    assertThat(all(tables.newestOfBuyer("buyer-new", 10))).containsExactly(good);
    assertThat(all(tables.ofSeller("seller-new", START, START.plusSeconds(1))))
        .containsExactly(good);
    assertThat(tables.find(-1).block()).isEqualTo(good);
  }
}
