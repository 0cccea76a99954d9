package io.millrace.torture;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Mono;

/** Inserts one row after another, each with a number of its transaction. */
final class RowLane extends Lane {

  private final LongFunction<Mono<Long>> requests;
  private final AtomicLong rows;
  private final Receipts receipts;

  /**
   * @param requests makes the request that inserts a row
   * @param rows the key of the latest row, over all lanes
   */
  RowLane(
      Mode mode,
      LongFunction<Mono<Long>> requests,
      AtomicLong rows,
      Receipts receipts,
      Meters meters,
      int rate,
      RandomGenerator random) {
    super(mode, meters, rate, random);
    this.requests = requests;
    this.rows = rows;
    this.receipts = receipts;
  }

  @Override
  long subscribe() throws InterruptedException {
    long subscription = receipts.subscription();
    Taker<Long> taker = new Taker<>(1, 1, value -> receipts.received(subscription, value));
    requests.apply(rows.incrementAndGet()).subscribe(taker);
    await(taker);
    return 1;
  }
}
