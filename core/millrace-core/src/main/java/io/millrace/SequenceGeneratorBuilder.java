package io.millrace;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.engine.BlockSizes;
import io.millrace.engine.GeneratorConfig;
import io.millrace.engine.GeneratorConfig.Backoff;
import io.millrace.internal.Defaults;
import io.millrace.internal.LogSafe;
import io.millrace.internal.ReactorVersion;
import io.millrace.internal.Recorders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configures a {@link SequenceGenerator}. Each setter rejects a value outside its range; {@link
 * #build()} rejects options that exclude each other.
 *
 * <p>Google's guide "Sequence generation in Spanner" describes three generators that run outside
 * the application's transaction. Here they are settings: {@code blockSize(1)} is the asynchronous
 * generator, {@code blockSize(n)} the batch generator, and {@code blockSize(n).lowWatermark(m)} the
 * asynchronous batch generator. By default, the sizes of the last follow the demand: see {@link
 * #adaptive}. Setting {@link #blockSize(long) blockSize}, {@link #maxBlockSize(long) maxBlockSize}
 * or {@link #lowWatermark(long) lowWatermark} makes them fixed.
 *
 * <p>Not thread-safe. May build any number of generators.
 */
public final class SequenceGeneratorBuilder {

  /** The largest block that can be configured: 2^40 values. */
  static final long LARGEST_BLOCK = 1L << 40;

  private final SequenceStore store;
  private final String sequence;

  private final BlockSizes.Options blocks = new BlockSizes.Options();
  private int maxWaiters = 100_000;
  private long maxValue = Long.MAX_VALUE;
  private Duration acquireTimeout = Duration.ofSeconds(30);
  private Duration reservationTimeout = Defaults.RESERVATION_TIMEOUT;
  private Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.5, 5);
  private Scheduler scheduler = Schedulers.parallel();
  private @Nullable Scheduler deliverOn;
  private @Nullable Long createMissing;
  private final List<SequenceMetricsRecorder> metrics = new ArrayList<>();

  SequenceGeneratorBuilder(SequenceStore store, String sequence) {
    this.store = Objects.requireNonNull(store, "store");
    this.sequence = requireNotBlank(sequence);
  }

  static String requireNotBlank(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a sequence must not be blank, was " + LogSafe.quote(name));
    }
    return name;
  }

  /**
   * Sets how many values a reservation obtains. It obtains more if the waiting subscribers need
   * more. Larger blocks need fewer transactions, and leave larger gaps when a process is killed.
   * Defaults to {@link #adaptive adaptive} sizes, or to 1,000 values if {@link #maxBlockSize(long)
   * maxBlockSize} or {@link #lowWatermark(long) lowWatermark} is set.
   *
   * <p><b>1 is the ordered mode</b>: a value that is requested after another was delivered, in any
   * process, is greater. A reservation is exactly as large as the unmet demand when it starts. It
   * serves every subscriber that is waiting at that moment, and no value stays buffered. Later
   * demand waits for the next reservation.
   *
   * <p>The ordered mode has limits. If two requests overlap in time, either may receive the smaller
   * value. The value of a cancelled subscriber may be a gap. An operator that prefetches requests
   * values early. The store must be {@linkplain SequenceStore#isOrdered() ordered} and {@link
   * #lowWatermark(long) lowWatermark} 0. Every subscriber waits for a reservation, so {@link
   * #maxWaiters(int) maxWaiters} limits how many may request values at once.
   *
   * @param values from 1 to 2^40
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder blockSize(long values) {
    blocks.blockSize(inRange("blockSize", values, 1, LARGEST_BLOCK));
    return this;
  }

  /**
   * Sets the largest reservation. If the waiting subscribers need more than the block size, a
   * reservation grows with the demand up to this limit. Defaults to {@link #adaptive adaptive}
   * sizes, or to 10,000 values (the block size if that is larger) if {@link #blockSize(long)
   * blockSize} or {@link #lowWatermark(long) lowWatermark} is set.
   *
   * @param values from the block size to 2^40
   * @throws InvalidOptionException if outside 1 to 2^40
   */
  public SequenceGeneratorBuilder maxBlockSize(long values) {
    blocks.maxBlockSize(inRange("maxBlockSize", values, 1, LARGEST_BLOCK));
    return this;
  }

  /**
   * Sets the number of buffered values at which the next block is reserved, before it is needed. It
   * should exceed the number of values taken during one reservation at the highest rate: 10 at 500
   * values a second and 20 ms a reservation. Defaults to {@link #adaptive adaptive} sizes, or to 0
   * values if {@link #blockSize(long) blockSize} or {@link #maxBlockSize(long) maxBlockSize} is
   * set. 0 means no prefetch: a block is reserved only when a subscriber waits for it.
   *
   * @param values from 0 to the block size minus 1
   * @throws InvalidOptionException if below 0
   */
  public SequenceGeneratorBuilder lowWatermark(long values) {
    blocks.lowWatermark(inRange("lowWatermark", values, 0, LARGEST_BLOCK));
    return this;
  }

  /**
   * Adapts the block size and the low watermark to the demand. Excludes {@link #blockSize(long)
   * blockSize}, {@link #maxBlockSize(long) maxBlockSize} and {@link #lowWatermark(long)
   * lowWatermark}. {@link SequenceGeneratorSnapshot} has the current sizes. If none of these four
   * is set, {@code adaptive(10, 100_000, Duration.ofSeconds(10))} applies.
   *
   * <ul>
   *   <li><b>The low watermark</b> is twice the largest demand during one recent reservation, plus
   *       2. This applies the guide's rule to measured figures. The watermark grows with the first
   *       reservation at a higher rate or from a slower store. It halves in 2 minutes, or in 16
   *       times {@code target} if that is longer.
   *   <li><b>The buffer</b> is filled up to the demand of the latest {@code target}; older demand
   *       fades. At a steady rate, this level is {@code rate * target} values. It is the most that
   *       is lost if the process dies, plus what subscribers requested before they cancelled, which
   *       stays buffered until others use it. The level is at least twice the watermark plus 1, so
   *       that one reservation at a time keeps up.
   *   <li><b>The block size</b> is the level minus the watermark, within {@code minBlockSize} and
   *       {@code maxBlockSize}. A reservation obtains that many values, plus the unmet demand and
   *       what the buffer lacks up to the watermark, but no more than {@code maxBlockSize} in
   *       total. A larger demand takes several reservations.
   * </ul>
   *
   * <p>At 500 values a second, 20 ms a reservation and a {@code target} of 10 seconds, the
   * watermark is 22 and the block size 4,978. At night, at 1 value a second, the watermark is soon
   * 2 to 4. The block size is then {@code minBlockSize}, or 10 minus the watermark if that is
   * larger. {@code maxBlockSize} should be at least 6 times the values taken during one reservation
   * at the highest rate. An unbounded demand counts as one full buffer, so each reservation obtains
   * more than the one before.
   *
   * @param minBlockSize the smallest block size, from 3 to 2^40 values; a generator starts with it,
   *     and returns to it when it is hardly used
   * @param maxBlockSize the largest reservation, from {@code minBlockSize} to 2^40 values
   * @param target the time whose demand is buffered, and lost if the process dies, from 1 ms to 365
   *     days
   * @throws InvalidOptionException if any is outside its range
   */
  public SequenceGeneratorBuilder adaptive(long minBlockSize, long maxBlockSize, Duration target) {
    blocks.adaptive(
        inRange("adaptive minBlockSize", minBlockSize, BlockSizes.SMALLEST_ADAPTIVE, LARGEST_BLOCK),
        inRange("adaptive maxBlockSize", maxBlockSize, minBlockSize, LARGEST_BLOCK),
        inRange("adaptive target", target, Duration.ofMillis(1)));
    return this;
  }

  /** Makes the block sizes set so far defaults. Sizes set later replace them, of either kind. */
  void becomeDefaults() {
    blocks.becomeDefaults();
  }

  /**
   * Sets how many subscribers may wait for a reservation. The next one fails at once with {@link
   * SequenceWaiterLimitException}. A subscriber that has already received values may wait even if
   * the line is full. Defaults to 100,000 subscribers. 0 means that no subscriber may wait: it is
   * served from the buffer or fails, and only {@link #lowWatermark(long)} fills the buffer.
   *
   * @param subscribers 0 or more
   * @throws InvalidOptionException if below 0
   */
  public SequenceGeneratorBuilder maxWaiters(int subscribers) {
    this.maxWaiters = inRange("maxWaiters", subscribers, 0, Integer.MAX_VALUE);
    return this;
  }

  /**
   * Sets the largest value that may be issued, such as {@link Integer#MAX_VALUE} if a column of
   * type {@code INT} stores the values. Once it has been issued, subscribers fail with {@link
   * SequenceExhaustedException}. Defaults to {@link Long#MAX_VALUE}. 0 is a limit like any other.
   *
   * @param value any value
   */
  public SequenceGeneratorBuilder maxValue(long value) {
    this.maxValue = value;
    return this;
  }

  /**
   * Sets how long a subscriber with unmet demand waits for a value before it leaves the line and
   * fails with {@link SequenceTimeoutException}. Each value, or run of values, restarts the time.
   * Defaults to 30 seconds. 0 means no limit.
   *
   * @param timeout from 0 to 365 days
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder acquireTimeout(Duration timeout) {
    this.acquireTimeout = inRange("acquireTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * Sets how long one attempt to reserve may take before it is cancelled and counts as failed. A
   * block that arrives later is a gap. {@link SequenceGenerator#disposeLater()} waits as long for a
   * reservation, and for the release of values. Defaults to 10 seconds. 0 means no limit.
   *
   * @param timeout from 0 to 365 days
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorBuilder reservationTimeout(Duration timeout) {
    this.reservationTimeout = inRange("reservationTimeout", timeout, Duration.ZERO);
    return this;
  }

  /**
   * Sets how failed reservations are retried. The next attempt starts after a delay of {@code min}.
   * The delay doubles with each consecutive failure, up to {@code max}. It is randomized by a
   * factor between {@code 1 - jitter} and {@code 1 + jitter}, but stays within {@code min} and
   * {@code max}.
   *
   * <p>After {@code attempts} failures, or a permanent one, every waiting subscriber receives the
   * error. A later subscriber waits for the delay to end, and then starts a new round. During the
   * delay after a permanent failure, it receives that error at once. A success resets the backoff.
   * Buffered values are issued throughout. Defaults to 100 ms, 10 s, 0.5 and 5 attempts.
   *
   * @param min the first delay, from 1 ms to 365 days
   * @param max the longest delay, from {@code min} to 365 days
   * @param jitter from 0 (none) to 1 (from almost no delay to twice the delay)
   * @param attempts the number of attempts before waiting subscribers receive the error, 1 or more
   * @throws InvalidOptionException if any is outside its range
   */
  public SequenceGeneratorBuilder backoff(Duration min, Duration max, double jitter, int attempts) {
    inRange("backoff min", min, Duration.ofMillis(1));
    inRange("backoff max", max, min);
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new InvalidOptionException("backoff jitter", jitter, "must be from 0 to 1");
    }
    inRange("backoff attempts", attempts, 1, Integer.MAX_VALUE);
    this.backoff = new Backoff(min, max, jitter, attempts);
    return this;
  }

  /**
   * Sets the scheduler that delivers values and errors to subscribers that had to wait. Buffered
   * values are always delivered on the requesting thread. Defaults to none: the thread that made
   * the value available delivers it. It also does so if the scheduler rejects a delivery, so no
   * value is lost.
   *
   * @param scheduler any scheduler; the generator does not dispose it
   */
  public SequenceGeneratorBuilder deliverOn(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler");
    this.deliverOn = scheduler == Schedulers.immediate() ? null : scheduler;
    return this;
  }

  /**
   * Sets the scheduler, and clock, of timeouts and backoffs. Reservations are subscribed to on it
   * as well, so nothing bound to a subscriber's thread (a trace, a deadline, a security context)
   * reaches the store. Defaults to {@link Schedulers#parallel()}. Tests can use a {@code
   * VirtualTimeScheduler} instead of waiting. It must not be disposed while the generator is in
   * use.
   *
   * @param scheduler a scheduler that supports delays; the generator does not dispose it
   */
  public SequenceGeneratorBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  /**
   * Creates the sequence's counter, but not its table, if it is missing at the first reservation or
   * warm-up; subscribers wait meanwhile. An existing counter keeps its value. The {@link
   * #reservationTimeout(Duration) reservationTimeout} covers the creation and the reservation after
   * it. Defaults to off: a missing counter is a {@link SequenceNotFoundException}.
   *
   * <p>A generator does not create a counter again that disappears after it was used, because the
   * first values would be issued twice. But another generator does, for example the successor of an
   * evicted one. Never delete the row of a sequence that is in use.
   *
   * @param startValue the first value of a new sequence, up to {@link SequenceState#LARGEST_VALUE};
   *     0 is a value like any other
   * @throws InvalidOptionException if it is larger
   */
  public SequenceGeneratorBuilder createMissing(long startValue) {
    this.createMissing =
        inRange("createMissing", startValue, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
    return this;
  }

  /**
   * Adds recorders of reservations, waits and gaps. They are also notified when the generator is
   * built and when its shutdown is complete. What they throw is dropped, and the first throw of
   * each is logged. They may keep a reference to the generator until the generator is disposed.
   * Defaults to none.
   *
   * @param recorders the recorders, in addition to those of earlier calls
   */
  public SequenceGeneratorBuilder metrics(SequenceMetricsRecorder... recorders) {
    metrics.addAll(List.of(recorders));
    return this;
  }

  /**
   * Builds the generator. It holds no thread or connection, and sends no request to the store yet.
   *
   * @return a new generator; two generators of one sequence issue different values
   * @throws InvalidOptionException if {@code lowWatermark} is not below {@code blockSize}, if
   *     {@code maxBlockSize} is below {@code blockSize}, if {@code maxWaiters} and {@code
   *     lowWatermark} are both 0, if {@code blockSize} is 1 and the store is not ordered, or if
   *     {@code adaptive} and an option that it excludes are set, or if the start value of {@code
   *     createMissing} is above {@code maxValue}
   */
  public SequenceGenerator build() {
    return config().generator();
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
    if (createMissing != null && createMissing > maxValue) {
      throw new InvalidOptionException(
          "createMissing",
          createMissing,
          "maxValue",
          "createMissing must be at most maxValue " + maxValue + ", was " + createMissing);
    }
    return new GeneratorConfig(
        store,
        sequence,
        sizes,
        maxWaiters,
        maxValue,
        createMissing,
        acquireTimeout,
        reservationTimeout,
        backoff,
        scheduler,
        deliverOn,
        Recorders.of(
            SequenceMetricsRecorder.class,
            SequenceMetricsRecorder.NONE,
            metrics.toArray(SequenceMetricsRecorder[]::new)));
  }
}
