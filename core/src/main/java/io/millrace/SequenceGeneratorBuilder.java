package io.millrace;

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
 * Google, "Sequence generation in Spanner".)
 *
 * <p>Not safe for use by several threads at once. May be built from more than once.
 */
public final class SequenceGeneratorBuilder {

  /** The largest block a generator may be told to reserve: 2^40 values. */
  static final long LARGEST_BATCH = 1L << 40;

  private static final Duration LONGEST = Duration.ofDays(365);

  private final SequenceStore store;
  private final String sequence;

  private long batchSize = 1_000;
  private long maxBatchSize; // 0: not set
  private long lowWatermark;
  private int maxWaiters = 100_000;
  private long maxValue = Long.MAX_VALUE;
  private Duration acquireTimeout = Duration.ofSeconds(30);
  private Duration reservationTimeout = Duration.ofSeconds(10);
  private Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.5, 5);
  private Scheduler scheduler = Schedulers.parallel();
  private @Nullable Scheduler deliverOn;
  private @Nullable Long createMissing;
  private Turnstile turnstile = Turnstile.OPEN;
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
    this.batchSize = inRange("batchSize", values, 1, LARGEST_BATCH);
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
    this.maxBatchSize = inRange("maxBatchSize", values, 1, LARGEST_BATCH);
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
    this.lowWatermark = inRange("lowWatermark", values, 0, LARGEST_BATCH);
    return this;
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
   * @param startValue the first value of a sequence created; any value, 0 included
   * @return this builder
   */
  public SequenceGeneratorBuilder createMissing(long startValue) {
    this.createMissing = startValue;
    return this;
  }

  /** What each request to reserve or to give back passes first. */
  SequenceGeneratorBuilder turnstile(Turnstile turnstile) {
    this.turnstile = turnstile;
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
   *     lowWatermark} are both 0, or if {@code batchSize} is 1 and the store is not ordered
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
    if (lowWatermark >= batchSize) {
      throw new IllegalArgumentException(
          "lowWatermark must be below batchSize " + batchSize + ", was " + lowWatermark);
    }
    if (maxBatchSize != 0 && maxBatchSize < batchSize) {
      throw new IllegalArgumentException(
          "maxBatchSize must be at least batchSize " + batchSize + ", was " + maxBatchSize);
    }
    if (maxWaiters == 0 && lowWatermark == 0) {
      throw new IllegalArgumentException(
          "maxWaiters 0 needs a lowWatermark above 0 to fill the buffer, was " + lowWatermark);
    }
    if (batchSize == 1 && !store.isOrdered()) {
      throw new IllegalArgumentException(
          "batchSize 1 promises order and needs an ordered store, was "
              + store
              + " with isOrdered false; use a batchSize of 2 or more");
    }
    return new GeneratorConfig(
        createMissing == null ? store : new CreatingStore(store, createMissing),
        sequence,
        batchSize,
        maxBatchSize == 0 ? Math.max(batchSize, 10_000) : maxBatchSize,
        lowWatermark,
        maxWaiters,
        maxValue,
        acquireTimeout,
        reservationTimeout,
        backoff,
        scheduler,
        deliverOn,
        turnstile,
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
