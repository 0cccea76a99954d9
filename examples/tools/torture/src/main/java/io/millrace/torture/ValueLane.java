package io.millrace.torture;

import io.millrace.Sequence;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Flux;

/** Takes values by all methods of a {@link Sequence}, in a random order. */
final class ValueLane extends Lane {

  private final Supplier<? extends Sequence> sequence;
  private final Receipts receipts;
  private final Sizes sizes;

  ValueLane(
      Mode mode,
      Supplier<? extends Sequence> sequence,
      Receipts receipts,
      Meters meters,
      Sizes sizes,
      int rate,
      RandomGenerator random) {
    super(mode, meters, rate, random);
    this.sequence = sequence;
    this.sizes = sizes;
    this.receipts = receipts;
  }

  @Override
  long subscribe() throws InterruptedException {
    Sequence from = sequence.get();
    long subscription = receipts.subscription();
    int total = random.nextInt(1, sizes.longest());
    int atATime = random.nextInt(1, sizes.demand() + 1);
    return switch (random.nextInt(4)) {
      case 0 -> take(from.next().flux(), taker(subscription, 1, 1));
      case 1 -> take(from.next(atATime), listTaker(subscription)) * atATime;
      case 2 ->
          take(
              Flux.range(0, total).transform(from.assign((element, value) -> value)),
              taker(subscription, Integer.MAX_VALUE, atATime));
      default -> take(from.values(), taker(subscription, total, atATime));
    };
  }

  private Taker<Long> taker(long subscription, int total, int atATime) {
    return new Taker<>(total, atATime, value -> receipts.received(subscription, value));
  }

  private Taker<List<Long>> listTaker(long subscription) {
    return new Taker<>(
        1, 1, values -> values.forEach(value -> receipts.received(subscription, value)));
  }

  private <T> long take(org.reactivestreams.Publisher<T> values, Taker<T> taker)
      throws InterruptedException {
    values.subscribe(taker);
    await(taker);
    return taker.received();
  }
}
