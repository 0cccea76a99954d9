package io.millrace;

import io.millrace.internal.ReactorVersion;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configures a {@link SequenceGenerator}. Each option refuses a value outside its range when it is
 * set; {@link #build()} refuses options that exclude each other.
 *
 * <p>The guide's three generators that run outside the application's transaction are three
 * settings: {@code batchSize(1)} is its asynchronous generator, {@code batchSize(n)} its batch
 * generator, and {@code batchSize(n).lowWatermark(m)} its asynchronous batch generator. (Source:
 * Google, "Sequence generation in Spanner".) {@link #adaptive} is a fourth: the last of these with
 * sizes that follow the use.
 *
 * <p>Not safe for use by several threads at once. May be built from more than once.
 */
public final class SequenceGeneratorBuilder {

  /** The largest block a generator may be told to reserve: 2^40 values. */
  static final long LARGEST_BATCH = 1L << 40;

  private static final Duration LONGEST = Duration.ofDays(365);

  /** The defaults are objects that all generators share. */
  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(10);

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.5, 5);

  private final SequenceStore store;
  private final String sequence;

  private BatchSizeOptions batches = new BatchSizeOptions(null);
  private int maxWaiters = 100_000;
  private long maxValue = Long.MAX_VALUE;
  private Duration acquireTimeout = ACQUIRE_TIMEOUT;
  private Duration reservationTimeout = RESERVATION_TIMEOUT;
  private Backoff backoff = BACKOFF;
  private Scheduler scheduler = Schedulers.parallel();
  private @Nullable Scheduler deliverOn;
  private @Nullable Long createMissing;
  private Bulkhead bulkhead = Bulkhead.OPEN;
  private SequenceMetricsRecorder metrics = SequenceMetricsRecorder.NONE;

  SequenceGeneratorBuilder(SequenceStore store, String sequence) {
    this.store = Objects.requireNonNull(store, "store");
    this.sequence = Objects.requireNonNull(sequence, "sequence");
    if (sequence.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a sequence must not be blank, was '" + sequence + "'");
    }
  }

  /**
   * How many values to reserve at a time when fewer are waited for. Larger blocks cost fewer
   * transactions and leave larger gaps when a process is killed. Defaults to 1,000 values.
   *
   * <p><b>1 is the ordered mode</b>: a value asked for after another was delivered, anywhere, is
   * greater. A reservation is then exactly as large as the demand when it starts, serves everybody
   * who waits at that moment, and keeps nothing; demand that comes later waits for the next. What
   * it does not promise: requests that overlap in time may be delivered either way round, and a
   * cancelled subscriber's value may be a gap. Demand counts as asked when it is requested, so an
   * operator that prefetches takes values early. It needs an {@linkplain SequenceStore#isOrdered()
   * ordered} store and {@link #lowWatermark(long) lowWatermark} 0, and every subscriber waits for a
   * reservation, so that {@link #maxWaiters(int) maxWaiters} bounds how many may ask at once.
   *
   * @param values from 1 to 2^40
   * @return this builder
   * @throws IllegalArgumentException if outside that range
   */
  public SequenceGeneratorBuilder batchSize(long values) {
    batches.batchSize(inRange("batchSize", values, 1, LARGEST_BATCH));
    return this;
  }

  /**
   * How many values one reservation may obtain when more than a batch is waited for: it is made as
   * large as the demand, up to this. Defaults to 10,000 values, or to the batch size if that is
   * larger.
   *
   * @param values from the batch size to 2^40
   * @return this builder
   * @throws IllegalArgumentException if outside 1 to 2^40
   */
  public SequenceGeneratorBuilder maxBatchSize(long values) {
    batches.maxBatchSize(inRange("maxBatchSize", values, 1, LARGEST_BATCH));
    return this;
  }

  /**
   * When so few values are left in the buffer, the next block is reserved ahead of need. It should
   * exceed the values taken during one reservation at the highest rate: at 500 values a second and
   * 20 ms a reservation, 10. Defaults to 0 values, which means no prefetch: a block is reserved
   * only when somebody waits for it.
   *
   * @param values from 0 to the batch size less 1
   * @return this builder
   * @throws IllegalArgumentException if below 0
   */
  public SequenceGeneratorBuilder lowWatermark(long values) {
    batches.lowWatermark(inRange("lowWatermark", values, 0, LARGEST_BATCH));
    return this;
  }

  /**
   * Lets the block size and the low watermark follow the use, in place of {@link #batchSize(long)
   * batchSize}, {@link #maxBatchSize(long) maxBatchSize} and {@link #lowWatermark(long)
   * lowWatermark}, which it excludes. {@link SequenceGeneratorSnapshot} tells what they are.
   * Defaults to off.
   *
   * <ul>
   *   <li><b>The low watermark</b> is twice, and 2 more than, the most values that were asked for
   *       during one reservation lately: the guide's rule, measured. It grows at the first
   *       reservation that shows a higher rate or a slower store; it falls by half in 2 minutes, or
   *       in 16 times {@code target} if that is longer.
   *   <li><b>The buffer</b> is filled up to what was asked for in the latest {@code target}, older
   *       use fading: at a steady rate, {@code rate * target} values. That is what a death of the
   *       process costs at the most, besides what subscribers had asked for that left before they
   *       had it: that stays in the buffer until others use it. Not less, though, than twice the
   *       watermark and 1, so that one reservation at a time keeps up.
   *   <li><b>A block</b> is the difference of the two, within {@code minBatchSize} and {@code
   *       maxBatchSize}. A reservation obtains besides what is waited for, and what the buffer
   *       lacks to the watermark, up to {@code maxBatchSize} in all; more demand is served by
   *       several.
   * </ul>
   *
   * <p>At 500 values a second, 20 ms a reservation and a {@code target} of 10 seconds, the
   * watermark is 22 and a block 4,978; at night, at 1 a second, the watermark is soon 2 to 4, and a
   * block {@code minBatchSize}, or what makes 10 with it if that is more. {@code maxBatchSize}
   * should be 6 times the values taken during one reservation at the highest rate, or more. A
   * demand without bound counts as what the buffer holds when it is full, so that it obtains more
   * with each reservation.
   *
   * @param minBatchSize the smallest block, in values, from 3 to 2^40; a generator begins with it,
   *     and returns to it when it is hardly used
   * @param maxBatchSize the largest reservation, in values, from {@code minBatchSize} to 2^40
   * @param target how long a time's use may be buffered, and so be lost with the process, from 1 ms
   *     to 365 days
   * @return this builder
   * @throws IllegalArgumentException if any is outside its range
   */
  public SequenceGeneratorBuilder adaptive(long minBatchSize, long maxBatchSize, Duration target) {
    batches.adaptive(
        inRange(
            "adaptive minBatchSize",
            minBatchSize,
            BatchSizeOptions.SMALLEST_ADAPTIVE,
            LARGEST_BATCH),
        inRange("adaptive maxBatchSize", maxBatchSize, minBatchSize, LARGEST_BATCH),
        inRange("adaptive target", target, Duration.ofMillis(1)));
    return this;
  }

  /** Sizes of blocks set until now give way to those of the other kind that are set later. */
  void becomeDefaults() {
    batches = new BatchSizeOptions(batches);
  }

  /**
   * How many subscribers may wait for a reservation; the next one fails at once with {@link
   * SequenceWaiterLimitException}. One that was served already may wait again whatever the number.
   * Defaults to 100,000 subscribers. 0 means that nobody may wait: a subscriber is served from the
   * buffer or fails, and only {@link #lowWatermark(long)} fills the buffer.
   *
   * @param subscribers 0 or more
   * @return this builder
   * @throws IllegalArgumentException if below 0
   */
  public SequenceGeneratorBuilder maxWaiters(int subscribers) {
    this.maxWaiters = (int) inRange("maxWaiters", subscribers, 0, Integer.MAX_VALUE);
    return this;
  }

  /**
   * The largest value that may be issued; beyond it, subscribers get {@link
   * SequenceExhaustedException}. Defaults to {@link Long#MAX_VALUE}. 0 is a limit like any other.
   *
   * @param value any value
   * @return this builder
   */
  public SequenceGeneratorBuilder maxValue(long value) {
    this.maxValue = value;
    return this;
  }

  /**
   * How long a subscriber with unmet demand waits for a value before it fails with {@link
   * SequenceTimeoutException} and leaves the line; each value, or run of values, starts the time
   * anew. Defaults to 30 seconds. 0 means to wait without limit.
   *
   * @param timeout from 0 to 365 days
   * @return this builder
   * @throws IllegalArgumentException if outside that range
   */
  public SequenceGeneratorBuilder acquireTimeout(Duration timeout) {
    this.acquireTimeout = inRange("acquireTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * How long one attempt to reserve may take. It is then cancelled and counts as failed; should its
   * block still come, it is a gap. Also bounds {@link SequenceGenerator#disposeLater()}'s wait for
   * a reservation, and for the give-back. Defaults to 10 seconds. 0 means to wait without limit.
   *
   * @param timeout from 0 to 365 days
   * @return this builder
   * @throws IllegalArgumentException if outside that range
   */
  public SequenceGeneratorBuilder reservationTimeout(Duration timeout) {
    this.reservationTimeout = inRange("reservationTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * How to go on after a failed reservation. The next attempt starts after {@code min}, doubled
   * with each failure in a row up to {@code max}, and varied at random by up to {@code jitter} of
   * itself either way, within min and max. After {@code attempts} failures, or a permanent one,
   * every subscriber that waits gets the error; whoever comes later waits for the delay to end, and
   * then starts a new round. A success resets it. Buffered values flow all the while. Defaults to
   * 100 ms, 10 s, 0.5 and 5 attempts.
   *
   * @param min the first delay, from 1 ms to 365 days
   * @param max the longest delay, from {@code min} to 365 days
   * @param jitter from 0 (none) to 1 (up to twice the delay, or almost none)
   * @param attempts how many attempts before those who wait are told, 1 or more
   * @return this builder
   * @throws IllegalArgumentException if any is outside its range
   */
  public SequenceGeneratorBuilder backoff(Duration min, Duration max, double jitter, int attempts) {
    inRange("backoff min", min, Duration.ofMillis(1));
    inRange("backoff max", max, Duration.ofMillis(1));
    if (max.compareTo(min) < 0) {
      throw new IllegalArgumentException(
          "backoff max must be at least backoff min " + min + ", was " + max);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("backoff jitter must be from 0 to 1, was " + jitter);
    }
    inRange("backoff attempts", attempts, 1, Integer.MAX_VALUE);
    this.backoff = new Backoff(min, max, jitter, attempts);
    return this;
  }

  /**
   * The scheduler on which a value or an error that had to be waited for is delivered. Defaults to
   * none: on the thread that made it available. A buffered value is always delivered by the thread
   * that requests it. If the scheduler refuses a delivery because it is shut down, the thread that
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
   * The scheduler, and clock, of timeouts and backoffs. Reservations are subscribed to on it too,
   * so that nothing of a subscriber's thread (a trace, a deadline, a security context) reaches the
   * store. Defaults to {@link Schedulers#parallel()}; a {@code VirtualTimeScheduler} makes a
   * generator testable without waiting.
   *
   * @param scheduler a scheduler that supports delays; the generator does not dispose it
   * @return this builder
   */
  public SequenceGeneratorBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  /**
   * Creates the sequence's counter in the store if, at the first reservation or warm-up, it is not
   * there; those who wait go on waiting. The {@link #reservationTimeout(Duration)
   * reservationTimeout} covers the creation and the reservation that follows. A counter that exists
   * keeps its value, whoever created it. One that vanishes after the generator has used it is not
   * created again, since that would give its first values twice; but another generator, such as the
   * one made after an eviction, does create it: never delete the row of a sequence that is in use.
   * This creates no table. Defaults to off: a missing counter is a {@link
   * SequenceNotFoundException}.
   *
   * @param startValue the first value of a sequence created, up to {@link
   *     SequenceState#LARGEST_VALUE}; 0 is a value like any other
   * @return this builder
   * @throws IllegalArgumentException if it is larger
   */
  public SequenceGeneratorBuilder createMissing(long startValue) {
    this.createMissing =
        inRange("createMissing", startValue, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
    return this;
  }

  /** What each request to reserve or to give back passes first. */
  SequenceGeneratorBuilder bulkhead(Bulkhead bulkhead) {
    this.bulkhead = bulkhead;
    return this;
  }

  /**
   * Who is told of reservations, waits and gaps, and of the generator itself when it is built and
   * when its shutdown is complete. Defaults to nobody. A recorder that throws does no harm. A
   * recorder may hold on to a generator until it is disposed.
   *
   * @param recorder the recorder
   * @return this builder
   */
  public SequenceGeneratorBuilder metrics(SequenceMetricsRecorder recorder) {
    this.metrics = Objects.requireNonNull(recorder, "recorder");
    return this;
  }

  /**
   * Builds the generator. It holds no thread or connection, and asks the store for nothing yet.
   *
   * @return a generator of its own; two generators on one sequence give different values
   * @throws IllegalArgumentException if {@code lowWatermark} is not below {@code batchSize}, if
   *     {@code maxBatchSize} is below {@code batchSize}, if {@code maxWaiters} and {@code
   *     lowWatermark} are both 0, if {@code batchSize} is 1 and the store is not ordered, or if
   *     {@code adaptive} and an option that it excludes are set
   */
  public SequenceGenerator build() {
    BufferedSequenceGenerator generator = buildUnopened();
    generator.opened();
    return generator;
  }

  /** The recorder is told of the generator only when somebody calls {@code opened}. */
  BufferedSequenceGenerator buildUnopened() {
    return new BufferedSequenceGenerator(config());
  }

  /** Refuses options that exclude each other. */
  GeneratorConfig config() {
    ReactorVersion.check();
    BatchSizes sizes = batches.checked(maxWaiters);
    if (sizes.isOrderedMode() && !store.isOrdered()) {
      throw new IllegalArgumentException(
          "batchSize 1 promises order and needs an ordered store, was "
              + store
              + " with isOrdered false; use a batchSize of 2 or more");
    }
    return new GeneratorConfig(
        new GuardedStore(createMissing == null ? store : store.creating(createMissing)),
        sequence,
        sizes,
        maxWaiters,
        maxValue,
        acquireTimeout,
        reservationTimeout,
        backoff,
        new GuardedScheduler(scheduler),
        deliverOn,
        bulkhead,
        metrics == SequenceMetricsRecorder.NONE ? metrics : new GuardedRecorder(metrics));
  }

  private static long inRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + " must be from " + min + " to " + max + ", was " + value);
    }
    return value;
  }

  private static Duration inRange(String option, Duration value, Duration min) {
    if (value.compareTo(min) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          option + " must be from " + min + " to " + LONGEST + ", was " + value);
    }
    return value;
  }
}
