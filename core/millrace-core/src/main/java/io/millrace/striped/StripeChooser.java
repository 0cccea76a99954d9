package io.millrace.striped;

import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * Chooses the stripe of a sequence's next reservation by how much reservations cost there.
 *
 * <p>The cost of a stripe is a moving average of the time its reservations took, in nanoseconds.
 * Its weight halves with every second without a measurement. So an expensive stripe is tried again
 * after a while, and after an idle time all are equal. Costs tell stripes apart if this process
 * measures each about every second. With fewer reservations, a cost mainly shows its age. Then, of
 * two stripes, the one that was unused for longer is more likely, until all costs have faded. The
 * numbers are hints: a measurement that is lost between two threads does no harm.
 *
 * <p>Of two stripes the choice is random, weighted by the inverse squares of their costs. If the
 * cheaper one were always chosen, many processes would see the same costs and all go to the same
 * stripe.
 */
final class StripeChooser {

  private static final double HALF_LIFE = TimeUnit.SECONDS.toNanos(1);

  /** The least cost of a failed reservation. */
  private static final double FAILURE = TimeUnit.SECONDS.toNanos(1);

  /**
   * Added to every cost, so that a busy stripe without a measurement can be compared with a
   * measured one.
   */
  private static final double NEGLIGIBLE = TimeUnit.MILLISECONDS.toNanos(1);

  /** The weight of a new measurement in the average. */
  private static final double WEIGHT = 0.3;

  /** The resolution of the random choice. */
  private static final int CHANCES = 1 << 20;

  private final int stripes;
  private final StripeChoice choice;
  private final IntUnaryOperator random;
  private final LongSupplier clock;

  private final AtomicLongArray costs;
  private final AtomicLongArray measuredAt;
  private final AtomicIntegerArray inFlight;
  private final AtomicInteger next;

  /**
   * @param random gives a number from 0 to one below its argument
   * @param clock tells the time in nanoseconds
   */
  StripeChooser(int stripes, StripeChoice choice, IntUnaryOperator random, LongSupplier clock) {
    this.stripes = stripes;
    this.choice = choice;
    this.random = random;
    this.clock = clock;
    this.costs = new AtomicLongArray(stripes);
    this.measuredAt = new AtomicLongArray(stripes);
    this.inFlight = new AtomicIntegerArray(stripes);
    this.next = new AtomicInteger(random.applyAsInt(stripes));
  }

  int choose() {
    if (stripes == 1) {
      return 0;
    }
    if (choice == StripeChoice.ROUND_ROBIN) {
      return next.getAndUpdate(stripe -> (stripe + 1) % stripes);
    }
    int one = random.applyAsInt(stripes);
    int other = (one + 1 + random.applyAsInt(stripes - 1)) % stripes;
    double againstOne = square(load(one));
    double againstOther = square(load(other));
    return random.applyAsInt(CHANCES) * (againstOne + againstOther) < CHANCES * againstOne
        ? other
        : one;
  }

  /** Measures the cost of a request to a stripe; a cancelled request counts as failed. */
  <T> Mono<T> measured(int stripe, Mono<T> request) {
    return Mono.defer(
        () -> {
          long startedAt = clock.getAsLong();
          inFlight.incrementAndGet(stripe);
          return request
              .doOnSuccess(answer -> measure(stripe, clock.getAsLong() - startedAt))
              .doOnError(failure -> measureFailure(stripe, clock.getAsLong() - startedAt))
              .doOnCancel(() -> measureFailure(stripe, clock.getAsLong() - startedAt))
              .doFinally(end -> inFlight.decrementAndGet(stripe));
        });
  }

  private static double square(double load) {
    return load * load;
  }

  private double load(int stripe) {
    return (NEGLIGIBLE + cost(stripe)) * (1 + inFlight.get(stripe));
  }

  private double cost(int stripe) {
    return costs.get(stripe) * faded(stripe);
  }

  /**
   * How much weight a measurement still has, from 1 (it is new, or the clock was set back) down to
   * 0.
   */
  private double faded(int stripe) {
    double idle = Math.max(0, (double) clock.getAsLong() - measuredAt.get(stripe));
    return Math.pow(0.5, idle / HALF_LIFE);
  }

  /** Only the weight of the earlier measurements fades, not their value. */
  private void measure(int stripe, double nanos) {
    double before = costs.get(stripe);
    double weight = before == 0 ? 1 : 1 - (1 - WEIGHT) * faded(stripe);
    setCost(stripe, before + weight * (nanos - before));
  }

  private void measureFailure(int stripe, double nanos) {
    setCost(stripe, Math.max(Math.max(nanos, FAILURE), cost(stripe)));
  }

  private void setCost(int stripe, double cost) {
    costs.set(stripe, (long) cost);
    measuredAt.set(stripe, clock.getAsLong());
  }
}
