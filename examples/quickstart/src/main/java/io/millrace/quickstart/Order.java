package io.millrace.quickstart;

import io.millrace.key.BitReversal;

/**
 * An order, stored by shard and key. The shard is derived from the customer. The key is the number
 * with its bits reversed, so consecutive orders are far apart instead of at the end of the table.
 *
 * @param shard the first part of the primary key
 * @param key the second part of the primary key
 * @param number the visible number: unique, from the sequence
 * @param customer the buyer
 * @param cents the amount, in cents
 */
record Order(long shard, long key, long number, String customer, long cents) {

  static Order draft(int index) {
    return new Order(0, 0, 0, "customer-" + index % 997, 100 + (index * 7_919L) % 100_000);
  }

  Order withNumber(long value) {
    return new Order(shard, BitReversal.PRESERVING_SIGN.applyAsLong(value), value, customer, cents);
  }

  Order withShard(long value) {
    return new Order(value, key, number, customer, cents);
  }
}
