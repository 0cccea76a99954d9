package io.millrace.striped;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * Chooses the stripe of one sequence's next reservation, by what reservations cost there.
 *
 * <p>The cost of a stripe is a moving average of the time its reservations took, in nanoseconds.
 * What it counts for halves with every second that nothing is measured: so a stripe left alone for
 * its cost is tried again, and after an idle time all are equal. So costs tell stripes apart where
 * this process measures each about every second; at fewer reservations what is left of a cost tells
 * its age, and of two stripes the one unused for longer is likelier, until all have faded out. The
 * numbers are hints: a measurement lost between two threads does no harm.
 *
 * <p>Of two stripes the cheaper one is not chosen always, but by chance, weighted by the inverse
 * squares of the costs: many processes see the same costs, and would all go to the same stripe.
 */
final class StripeChooser {

  private static final double HALF_LIFE = TimeUnit.SECONDS.toNanos(1);

  /** What a failed reservation costs at the least. */
  private static final double FAILURE = TimeUnit.SECONDS.toNanos(1);

  /** Added to every cost, so that a stripe that is only busy compares with one only measured. */
  private static final double NEGLIGIBLE = TimeUnit.MILLISECONDS.toNanos(1);

  /** How much of the average a measurement makes up. */
  private static final double WEIGHT = 0.3;

  /** How finely chances are told apart. */
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

  /** Measures what a request to a stripe costs; one that is cancelled counts as failed. */
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

  /** How many requests to all stripes are under way. */
  int inFlight() {
    return IntStream.range(0, stripes).map(inFlight::get).sum();
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

  /** What is left of a measurement: 1 if it is of now, or the clock was set back, down to 0. */
  private double faded(int stripe) {
    double idle = Math.max(0, (double) clock.getAsLong() - measuredAt.get(stripe));
    return Math.pow(0.5, idle / HALF_LIFE);
  }

  /** The weight of what was measured before fades, not its value. */
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
