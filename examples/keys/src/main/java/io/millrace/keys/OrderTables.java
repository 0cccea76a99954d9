package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Statement;
import io.millrace.spanner.SpannerInserts;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The three tables of an order: {@code [buyer_id][timestamp][order_number]}, {@code
 * [seller_id][timestamp][order_number]} and {@code [order_number]}. One commit writes an order to
 * all of them. Ascending numbers would make a hotspot in the third table, so take them from a
 * sequence with its bits reversed.
 */
final class OrderTables {

  private static final String BY_BUYER = "orders_by_buyer";
  private static final String BY_SELLER = "orders_by_seller";
  private static final String BY_NUMBER = "orders_by_number";

  private final DatabaseClient client;
  private final Dialect dialect;

  OrderTables(DatabaseClient client, Dialect dialect) {
    this.client = client;
    this.dialect = dialect;
  }

  /** If a number exists already, its order is written to none of the three tables. */
  SpannerInserts<Order> inserts() {
    return SpannerInserts.mutations(
        client,
        order ->
            List.of(
                order.insertInto(BY_BUYER),
                order.insertInto(BY_SELLER),
                order.insertInto(BY_NUMBER)));
  }

  /** The last orders of a buyer, newest first: the end of one range, read backwards. */
  Flux<Order> newestOfBuyer(String buyer, int limit) {
    boolean postgreSql = dialect == Dialect.POSTGRESQL;
    Statement query =
        Statement.newBuilder(
                "SELECT order_number, buyer_id, seller_id, placed_at, cents FROM orders_by_buyer"
                    + (postgreSql ? " WHERE buyer_id = $1" : " WHERE buyer_id = @p1")
                    + " ORDER BY placed_at DESC, order_number DESC"
                    + (postgreSql ? " LIMIT $2" : " LIMIT @p2"))
            .bind("p1")
            .to(buyer)
            .bind("p2")
            .to(limit)
            .build();
    return Rows.of(() -> client.singleUse().executeQuery(query)).map(Order::of);
  }

  /** The orders of a seller from a time (inclusive) to another (exclusive), in order of time. */
  Flux<Order> ofSeller(String seller, Instant from, Instant to) {
    KeyRange range =
        KeyRange.closedOpen(
            Key.of(seller, Times.timestamp(from)), Key.of(seller, Times.timestamp(to)));
    return Rows.of(() -> client.singleUse().read(BY_SELLER, KeySet.range(range), Order.COLUMNS))
        .map(Order::of);
  }

  Mono<Order> find(long number) {
    KeySet row = KeySet.singleKey(Key.of(number));
    return Rows.of(() -> client.singleUse().read(BY_NUMBER, row, Order.COLUMNS))
        .map(Order::of)
        .singleOrEmpty();
  }
}
