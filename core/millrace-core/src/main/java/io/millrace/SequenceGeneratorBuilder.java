package io.millrace;

import io.millrace.engine.Backoff;
import io.millrace.engine.BlockSizeOptions;
import io.millrace.engine.BlockSizes;
import io.millrace.engine.Engine;
import io.millrace.engine.GeneratorConfig;
import io.millrace.internal.Defaults;
import io.millrace.internal.ReactorVersion;
import io.millrace.internal.ShownText;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configures a {@link SequenceGenerator}. Each option refuses a value outside its range when it is
 * set; {@link #build()} refuses options that exclude each other.
 *
 * <p>Google's guide "Sequence generation in Spanner" has three generators that run outside the
 * application's transaction. Here they are three settings: {@code blockSize(1)} is the asynchronous
 * generator, {@code blockSize(n)} the batch generator, and {@code blockSize(n).lowWatermark(m)} the
 * asynchronous batch generator. {@link #adaptive} is a fourth: the last of these with sizes that
 * follow the demand. It is the default. A builder on which {@link #blockSize(long) blockSize},
 * {@link #maxBlockSize(long) maxBlockSize} or {@link #lowWatermark(long) lowWatermark} is set has
 * fixed sizes instead.
 *
 * <p>Not safe for use by several threads at once. May build more than one generator.
 */
public final class SequenceGeneratorBuilder {

  /** The largest block that can be configured: 2^40 values. */
  static final long LARGEST_BLOCK = 1L << 40;

  private static final Duration LONGEST = Duration.ofDays(365);

  // Constants, so that all generators share the objects.

  private static final MaxValue UNLIMITED = MaxValue.of(Long.MAX_VALUE);

  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(30);

  private static final Backoff BACKOFF =
      new Backoff(
          Defaults.BACKOFF_MIN,
          Defaults.BACKOFF_MAX,
          Defaults.BACKOFF_JITTER,
          Defaults.BACKOFF_ATTEMPTS);

  private final String sequence;

  private SequenceStore store;

  private BlockSizeOptions blocks = new BlockSizeOptions(null);
  private int maxWaiters = 100_000;
  private MaxValue maxValue = UNLIMITED;
  private Duration acquireTimeout = ACQUIRE_TIMEOUT;
  private Duration reservationTimeout = Defaults.RESERVATION_TIMEOUT;
  private Backoff backoff = BACKOFF;
  private Scheduler scheduler = Schedulers.parallel();
  private @Nullable Scheduler deliverOn;
  private @Nullable Long createMissing;
  private SkippedValues skipped = SkippedValues.NONE;
  private SequenceMetricsRecorder metrics = SequenceMetricsRecorder.NONE;

  SequenceGeneratorBuilder(SequenceStore store, String sequence) {
    this.store = Objects.requireNonNull(store, "store");
    this.sequence = Objects.requireNonNull(sequence, "sequence");
    if (sequence.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a sequence must not be blank, was " + ShownText.quote(sequence));
    }
  }

  /**
   * How many values to reserve at a time. A reservation is larger if the waiting subscribers need
   * more. Larger blocks need fewer transactions, and leave larger gaps when a process is killed. If
   * the sizes are fixed, it defaults to 1,000 values.
   *
   * <p><b>1 is the ordered mode</b>: a value that is requested after another value was delivered,
   * in any process, is greater. A reservation is then exactly as large as the unmet demand when it
   * starts. It serves every subscriber that waits at that moment, and no value is kept. Later
   * demand waits for the next reservation.
   *
   * <p>The ordered mode has limits. If two requests overlap in time, either may get the smaller
   * value. The value of a cancelled subscriber may be a gap. An operator that prefetches requests
   * values early. The ordered mode needs an {@linkplain SequenceStore#isOrdered() ordered} store
   * and {@link #lowWatermark(long) lowWatermark} 0. Every subscriber waits for a reservation, so
   * {@link #maxWaiters(int) maxWaiters} bounds how many may request values at once.
   *
   * @param values from 1 to 2^40
   * @return this builder
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder blockSize(long values) {
    blocks.blockSize(inRange("blockSize", values, 1, LARGEST_BLOCK));
    return this;
  }

  /**
   * How many values one reservation may obtain. If the waiting subscribers need more than the block
   * size, a reservation is as large as the demand, up to this limit. If the sizes are fixed, it
   * defaults to 10,000 values, or to the block size if that is larger.
   *
   * @param values from the block size to 2^40
   * @return this builder
   * @throws InvalidOptionException if outside 1 to 2^40
   */
  public SequenceGeneratorBuilder maxBlockSize(long values) {
    blocks.maxBlockSize(inRange("maxBlockSize", values, 1, LARGEST_BLOCK));
    return this;
  }

  /**
   * The number of buffered values at which the next block is reserved, before it is needed. It
   * should exceed the number of values taken during one reservation at the highest rate. At 500
   * values a second and 20 ms a reservation, that number is 10. If the sizes are fixed, it defaults
   * to 0 values, which means no prefetch: a block is reserved only when a subscriber waits for it.
   *
   * @param values from 0 to the block size less 1
   * @return this builder
   * @throws InvalidOptionException if below 0
   */
  public SequenceGeneratorBuilder lowWatermark(long values) {
    blocks.lowWatermark(inRange("lowWatermark", values, 0, LARGEST_BLOCK));
    return this;
  }

  /**
   * Adapts the block size and the low watermark to the demand. Excludes {@link #blockSize(long)
   * blockSize}, {@link #maxBlockSize(long) maxBlockSize} and {@link #lowWatermark(long)
   * lowWatermark}. {@link SequenceGeneratorSnapshot} shows the current sizes. If none of these four
   * is set, the sizes adapt as after {@code adaptive(10, 100_000, Duration.ofSeconds(10))}.
   *
   * <ul>
   *   <li><b>The low watermark</b> is twice the largest demand during one recent reservation, plus
   *       2. This is the guide's rule, measured. The watermark grows at the first reservation with
   *       a higher rate or a slower store. It halves in 2 minutes, or in 16 times {@code target} if
   *       that is longer.
   *   <li><b>The buffer</b> is filled up to a level: the demand of the latest {@code target}; older
   *       demand fades. At a steady rate that is {@code rate * target} values. At most so many
   *       values are lost if the process dies, plus those requested by subscribers that cancelled
   *       before they received them: these stay in the buffer until others use them. The level is
   *       at least twice the watermark plus 1, so that one reservation at a time keeps up.
   *   <li><b>The block size</b> is the level minus the watermark, within {@code minBlockSize} and
   *       {@code maxBlockSize}. A reservation obtains that many values, and also the unmet demand
   *       and the values that the buffer lacks up to the watermark, but no more than {@code
   *       maxBlockSize} in all. Several reservations serve a larger demand.
   * </ul>
   *
   * <p>At 500 values a second, 20 ms a reservation and a {@code target} of 10 seconds, the
   * watermark is 22 and the block size 4,978. At night, at 1 value a second, the watermark is soon
   * 2 to 4. The block size is then {@code minBlockSize}, or the difference between 10 and the
   * watermark if that is larger. {@code maxBlockSize} should be at least 6 times the values taken
   * during one reservation at the highest rate. An unbounded demand counts as one full buffer, so
   * each reservation obtains more than the one before.
   *
   * @param minBlockSize the smallest block size, in values, from 3 to 2^40; a generator starts with
   *     it, and returns to it when it is hardly used
   * @param maxBlockSize the largest reservation, in values, from {@code minBlockSize} to 2^40
   * @param target the time whose demand may be buffered, and so be lost with the process, from 1 ms
   *     to 365 days
   * @return this builder
   * @throws InvalidOptionException if any is outside its range
   */
  public SequenceGeneratorBuilder adaptive(long minBlockSize, long maxBlockSize, Duration target) {
    blocks.adaptive(
        inRange(
            "adaptive minBlockSize",
            minBlockSize,
            BlockSizeOptions.SMALLEST_ADAPTIVE,
            LARGEST_BLOCK),
        inRange("adaptive maxBlockSize", maxBlockSize, minBlockSize, LARGEST_BLOCK),
        inRange("adaptive target", target, Duration.ofMillis(1)));
    return this;
  }

  /** Makes the block sizes set so far defaults. Sizes set later replace them, of either kind. */
  void becomeDefaults() {
    blocks = new BlockSizeOptions(blocks);
  }

  /**
   * How many subscribers may wait for a reservation. The next one fails at once with {@link
   * SequenceWaiterLimitException}. A subscriber that has received values may wait again even if the
   * line is full. Defaults to 100,000 subscribers. 0 means that no subscriber may wait: it is
   * served from the buffer or fails, and only {@link #lowWatermark(long)} fills the buffer.
   *
   * @param subscribers 0 or more
   * @return this builder
   * @throws InvalidOptionException if below 0
   */
  public SequenceGeneratorBuilder maxWaiters(int subscribers) {
    this.maxWaiters = (int) inRange("maxWaiters", subscribers, 0, Integer.MAX_VALUE);
    return this;
  }

  /**
   * The largest value that may be issued. After that subscribers get {@link
   * SequenceExhaustedException}. Defaults to {@link Long#MAX_VALUE}. 0 is a limit like any other.
   *
   * @param value any value
   * @return this builder
   */
  public SequenceGeneratorBuilder maxValue(long value) {
    return maxValue(MaxValue.of(value));
  }

  /**
   * The largest value that may be issued, as the type of the column that keeps the values. It works
   * like {@link #maxValue(long)}. The messages of errors name the type.
   *
   * @param value the type, or a number
   * @return this builder
   */
  public SequenceGeneratorBuilder maxValue(MaxValue value) {
    this.maxValue = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * How long a subscriber with unmet demand waits for a value. Then it fails with {@link
   * SequenceTimeoutException} and leaves the line. Each value, or run of values, restarts the time.
   * Defaults to 30 seconds. 0 means to wait without limit.
   *
   * @param timeout from 0 to 365 days
   * @return this builder
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder acquireTimeout(Duration timeout) {
    this.acquireTimeout = inRange("acquireTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * How long one attempt to reserve may take. Then it is cancelled and counts as failed. If its
   * block comes later, the block is a gap. This is also how long {@link
   * SequenceGenerator#disposeLater()} waits for a reservation, and for the release of values.
   * Defaults to 10 seconds. 0 means to wait without limit.
   *
   * @param timeout from 0 to 365 days
   * @return this builder
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder reservationTimeout(Duration timeout) {
    this.reservationTimeout = inRange("reservationTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * How to retry after a failed reservation. The next attempt starts after a delay of {@code min}.
   * The delay doubles with each failure in a row, up to {@code max}. It varies at random by up to
   * {@code jitter} of itself in either direction, but stays within {@code min} and {@code max}.
   *
   * <p>After {@code attempts} failures, or a permanent one, every waiting subscriber gets the
   * error. A later subscriber waits for the delay to end, and then starts a new round. A success
   * resets the backoff. Buffered values are issued meanwhile. Defaults to 100 ms, 10 s, 0.5 and 5
   * attempts.
   *
   * @param min the first delay, from 1 ms to 365 days
   * @param max the longest delay, from {@code min} to 365 days
   * @param jitter from 0 (none) to 1 (up to twice the delay, or almost none)
   * @param attempts how many attempts before the waiting subscribers get the error, 1 or more
   * @return this builder
   * @throws InvalidOptionException if any is outside its range
   */
  public SequenceGeneratorBuilder backoff(Duration min, Duration max, double jitter, int attempts) {
    inRange("backoff min", min, Duration.ofMillis(1));
    inRange("backoff max", max, Duration.ofMillis(1));
    if (max.compareTo(min) < 0) {
      throw new InvalidOptionException(
          "backoff max",
          max,
          "backoff min",
          "backoff max must be at least backoff min " + min + ", was " + max);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new InvalidOptionException("backoff jitter", jitter, "must be from 0 to 1");
    }
    inRange("backoff attempts", attempts, 1, Integer.MAX_VALUE);
    this.backoff = new Backoff(min, max, jitter, attempts);
    return this;
  }

  /**
   * The scheduler that delivers values and errors to subscribers that had to wait. Defaults to
   * none: the thread that made the value available delivers it. The thread that requests a buffered
   * value always delivers it. If the scheduler is shut down and refuses a delivery, the thread that
   * made the value available delivers it, so that no value is lost.
   *
   * @param scheduler any scheduler; the generator does not dispose it
   * @return this builder
   */
  public SequenceGeneratorBuilder deliverOn(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler");
    this.deliverOn = scheduler == Schedulers.immediate() ? null : scheduler;
    return this;
  }

  /**
   * The scheduler, and clock, of timeouts and backoffs. Reservations are also subscribed to on it.
   * So nothing of a subscriber's thread (a trace, a deadline, a security context) reaches the
   * store. Defaults to {@link Schedulers#parallel()}. Tests can use a {@code VirtualTimeScheduler}
   * instead of waiting.
   *
   * @param scheduler a scheduler that supports delays; the generator does not dispose it
   * @return this builder
   */
  public SequenceGeneratorBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  /**
   * Creates the sequence's counter if it is missing at the first reservation or warm-up; the
   * subscribers wait meanwhile. The {@link #reservationTimeout(Duration) reservationTimeout} covers
   * the creation and the reservation after it. An existing counter keeps its value. This creates no
   * table. Defaults to off: a missing counter is a {@link SequenceNotFoundException}.
   *
   * <p>If a counter disappears after the generator has used it, the generator does not create it
   * again, because it would issue its first values twice. But another generator does, for example
   * the one made after an eviction. So never delete the row of a sequence that is in use.
   *
   * @param startValue the first value of a new sequence, up to {@link SequenceState#LARGEST_VALUE};
   *     0 is a value like any other
   * @return this builder
   * @throws InvalidOptionException if it is larger
   */
  public SequenceGeneratorBuilder createMissing(long startValue) {
    this.createMissing =
        inRange("createMissing", startValue, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
    return this;
  }

  /**
   * The recorder of reservations, waits and gaps. It is also notified when the generator is built
   * and when its shutdown is complete. Defaults to none. What a recorder throws is dropped. A
   * recorder may keep a reference to the generator until it is disposed.
   *
   * @param recorder the recorder
   * @return this builder
   */
  public SequenceGeneratorBuilder metrics(SequenceMetricsRecorder recorder) {
    this.metrics = Objects.requireNonNull(recorder, "recorder");
    return this;
  }

  /**
   * Wraps the store for this generator alone, for example in an {@code ObservedSequenceStore} that
   * names the template. Each call wraps what the calls before it made. Defaults to the store as it
   * is.
   *
   * @param wrapper returns the store to use in place of the one that it is given; called once, now
   * @return this builder
   */
  public SequenceGeneratorBuilder wrapStore(UnaryOperator<SequenceStore> wrapper) {
    this.store = Objects.requireNonNull(wrapper.apply(store), "the wrapped store");
    return this;
  }

  /**
   * Never gives the values of a range, for example because older rows have them. May be called
   * several times. The counter continues behind the range. Values before it that do not fill a
   * block are lost, and are not counted as discarded. All generators of the sequence, in all
   * processes, have to skip the same values. Defaults to none.
   *
   * @param first the first value of the range
   * @param last the last value of the range, at least {@code first}
   * @return this builder
   * @throws InvalidOptionException if {@code last} is below {@code first}
   */
  public SequenceGeneratorBuilder skip(long first, long last) {
    skipped = skipped.and(first, last);
    return this;
  }

  /**
   * Builds the generator. It holds no thread or connection, and makes no request to the store yet.
   *
   * @return a new generator; two generators of one sequence issue different values
   * @throws InvalidOptionException if {@code lowWatermark} is not below {@code blockSize}, if
   *     {@code maxBlockSize} is below {@code blockSize}, if {@code maxWaiters} and {@code
   *     lowWatermark} are both 0, if {@code blockSize} is 1 and the store is not ordered, or if
   *     {@code adaptive} and an option that it excludes are set, or if the start value of {@code
   *     createMissing} is above {@code maxValue}, or if values are to be skipped and the store
   *     {@linkplain SequenceStore#canSkip() cannot}
   */
  public SequenceGenerator build() {
    return Engine.generator(config());
  }

  /** Returns the options, and refuses those that exclude each other. */
  GeneratorConfig config() {
    ReactorVersion.check();
    BlockSizes sizes = blocks.checked(maxWaiters);
    if (sizes.isOrderedMode() && !store.isOrdered()) {
      throw new InvalidOptionException(
          "blockSize",
          1L,
          null,
          "blockSize 1 promises order and needs an ordered store, was "
              + store
              + " with isOrdered false; use a blockSize of 2 or more");
    }
    if (createMissing != null && createMissing > maxValue.value()) {
      throw new InvalidOptionException(
          "createMissing",
          createMissing,
          "maxValue",
          "createMissing must be at most maxValue " + maxValue + ", was " + createMissing);
    }
    if (!skipped.isEmpty() && !store.canSkip()) {
      throw new InvalidOptionException(
          "skip",
          skipped,
          null,
          "skip needs a store that can skip values, was " + store + " with canSkip false");
    }
    return new GeneratorConfig(
        store,
        store.isReleasable(),
        sequence,
        sizes,
        maxWaiters,
        maxValue,
        createMissing,
        skipped,
        acquireTimeout,
        reservationTimeout,
        backoff,
        scheduler,
        deliverOn,
        null,
        metrics);
  }

  private static long inRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidOptionException(option, value, "must be from " + min + " to " + max);
    }
    return value;
  }

  private static Duration inRange(String option, Duration value, Duration min) {
    if (value.compareTo(min) < 0 || value.compareTo(LONGEST) > 0) {
      throw new InvalidOptionException(option, value, "must be from " + min + " to " + LONGEST);
    }
    return value;
  }
}
