package io.millrace.benchmark;

/** What the elements are, before and after they have their keys. */
record Order(long customer, long id, long shard) {

  Order withId(long id) {
    return new Order(customer, id, shard);
  }

  Order withShard(Long shard) {
    return new Order(customer, id, shard);
  }
}
