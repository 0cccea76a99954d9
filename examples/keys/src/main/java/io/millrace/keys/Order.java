package io.millrace.keys;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import java.time.Instant;
import java.util.List;

/**
 * An order between two people.
 *
 * @param number its number, 0 until it has one
 * @param buyer the buyer's id
 * @param seller the seller's id
 * @param placedAt the time of the order
 * @param cents the amount, in cents
 */
record Order(long number, String buyer, String seller, Instant placedAt, long cents) {

  static final List<String> COLUMNS =
      List.of("order_number", "buyer_id", "seller_id", "placed_at", "cents");

  Order withNumber(long value) {
    return new Order(value, buyer, seller, placedAt, cents);
  }

  Mutation insertInto(String table) {
    return Mutation.newInsertBuilder(table)
        .set("order_number")
        .to(number)
        .set("buyer_id")
        .to(buyer)
        .set("seller_id")
        .to(seller)
        .set("placed_at")
        .to(Times.timestamp(placedAt))
        .set("cents")
        .to(cents)
        .build();
  }

  static Order of(Struct row) {
    return new Order(
        row.getLong("order_number"),
        row.getString("buyer_id"),
        row.getString("seller_id"),
        Times.instant(row.getTimestamp("placed_at")),
        row.getLong("cents"));
  }
}
