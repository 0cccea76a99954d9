package io.millrace.striped;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import reactor.core.scheduler.Schedulers;

/** Configures a {@link StripedSequenceStore}. Each setter rejects a value outside its range. */
public final class StripedSequenceStoreBuilder {

  /** Far more stripes than any database needs, and few enough that every value can be reached. */
  private static final int LARGEST_STRIDE = 1 << 20;

  /** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
  public enum StripeChoice {

    /**
     * Picks two stripes at random and prefers the one whose recent reservations in this process
     * were faster and failed less often. If both take many milliseconds, a stripe that takes twice
     * as long as the other is chosen about one time in five, and one that takes ten times as long
     * about one time in a hundred. (If it were never chosen, many processes would all move to the
     * same better stripe at once.) A stripe that is slow or fails is thus avoided for some seconds
     * and then tried again.
     *
     * <p>Measurements fade within seconds. In a process that makes fewer reservations a second than
     * it has stripes, most have faded; then, of two stripes, the one that was unused for longer is
     * more likely to be chosen.
     *
     * <p>Suited to stripes that differ, or that other work may slow down.
     */
    BETTER_OF_TWO,

    /**
     * Uses the stripes in turn, beginning with a random one, regardless of latency and failures.
     * Suited to stripes that are alike.
     */
    ROUND_ROBIN
  }

  final SequenceStore store;
  int stripes = 16;
  int stride = 1_024;
  StripeChoice choice = StripeChoice.BETTER_OF_TWO;
  long maxValue = SequenceState.LARGEST_VALUE;
  IntUnaryOperator random = bound -> ThreadLocalRandom.current().nextInt(bound);
  LongSupplier clock = () -> Schedulers.parallel().now(TimeUnit.NANOSECONDS);

  StripedSequenceStoreBuilder(SequenceStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * Sets how many rows this process uses for a sequence. Of every {@link #stride} values, only this
   * many are issued. Processes may differ, and the number may change whenever one starts: see
   * {@link StripedSequenceStore}. Defaults to 16.
   *
   * @param rows 1 to the stride
   * @throws InvalidOptionException if {@code rows} is below 1 or above 2^20
   */
  public StripedSequenceStoreBuilder stripes(int rows) {
    this.stripes = inRange("stripes", rows, 1, LARGEST_STRIDE);
    return this;
  }

  /**
   * Sets the distance between the values of one row, which is also the largest number of rows. It
   * is recorded when a sequence is created, and cannot be changed. Defaults to 1,024.
   *
   * <p>With fewer stripes than this, values are left out: 63 of 64 with 16 stripes and a stride of
   * 1,024. A smaller stride leaves out fewer, and allows fewer rows.
   *
   * @param values 1 to 2^20
   * @throws InvalidOptionException if outside that range
   */
  public StripedSequenceStoreBuilder stride(int values) {
    this.stride = inRange("stride", values, 1, LARGEST_STRIDE);
    return this;
  }

  /**
   * Sets how the row of a reservation is chosen. Defaults to {@link StripeChoice#BETTER_OF_TWO}.
   */
  public StripedSequenceStoreBuilder choice(StripeChoice how) {
    this.choice = Objects.requireNonNull(how, "how");
    return this;
  }

  /**
   * Sets the largest value that may be issued. Rows reach the limit at different times, and the
   * store continues with those that have not reached it. Defaults to {@link
   * SequenceState#LARGEST_VALUE}.
   *
   * <p>Set the same {@code maxValue} on the generators: the last block of a row has the requested
   * size and may contain values above the limit, which the generator leaves out.
   *
   * @param value at most {@link SequenceState#LARGEST_VALUE}
   * @throws InvalidOptionException if {@code value} is above that
   */
  public StripedSequenceStoreBuilder maxValue(long value) {
    this.maxValue = inRange("maxValue", value, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
    return this;
  }

  /**
   * Sets the source of random numbers, for reproducible tests. Defaults to {@link
   * java.util.concurrent.ThreadLocalRandom}.
   *
   * @param numbers returns a number from 0 to its argument minus 1; called by any thread
   */
  public StripedSequenceStoreBuilder random(IntUnaryOperator numbers) {
    this.random = Objects.requireNonNull(numbers, "numbers");
    return this;
  }

  /**
   * Sets the clock that measures the latency of rows, for tests in virtual time. Defaults to that
   * of {@link Schedulers#parallel()}, which is virtual if virtual time is enabled.
   *
   * @param nanoseconds returns a time in nanoseconds; called by any thread
   */
  public StripedSequenceStoreBuilder clock(LongSupplier nanoseconds) {
    this.clock = Objects.requireNonNull(nanoseconds, "nanoseconds");
    return this;
  }

  /**
   * Builds the store without sending a request to the underlying store.
   *
   * @throws InvalidOptionException if there are more stripes than the stride
   */
  public StripedSequenceStore build() {
    if (stripes > stride) {
      throw new InvalidOptionException(
          "stripes",
          stripes,
          "stride",
          "stripes must be at most the stride " + stride + ", was " + stripes);
    }
    return new StripedSequenceStore(this);
  }
}
