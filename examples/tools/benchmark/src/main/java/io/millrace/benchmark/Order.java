package io.millrace.benchmark;

/** An element, before or after it has its keys. */
record Order(long customer, long id, long shard) {

  Order withId(long id) {
    return new Order(customer, id, shard);
  }

  Order withShard(Long shard) {
    return new Order(customer, id, shard);
  }
}
