package io.millrace.test;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.test.FaultScript.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A store in memory, for tests of programs that use sequences. It behaves like a database, with
 * configurable latency and faults.
 *
 * <p>It is ordered, releasable, non-blocking and thread-safe. Its counters last as long as the
 * object, so values are not unique across processes or restarts.
 *
 * <p><b>Time.</b> By default, a request takes effect and is answered on the subscribing thread,
 * before {@code subscribe} returns. With a {@linkplain #latency(Duration) latency}, it takes effect
 * <em>and</em> is answered on the Scheduler when the latency has passed; a request that is
 * cancelled earlier has no effect.
 *
 * <p><b>Faults.</b> {@code failNextReservations} and similar methods append to a script for the
 * next attempts at a reservation. Releases have a separate script. An attempt takes its entry when
 * it starts, that is, when the request is subscribed to; an aborted request starts another attempt,
 * which takes the next entry. Once a script is used up, requests succeed. An {@linkplain
 * #startOutage outage} fails every request that would take effect while it lasts.
 *
 * <pre>{@code
 * InMemorySequenceStore store = InMemorySequenceStore.withSequence("order_id", 1);
 * store.latency(Duration.ofMillis(5));
 * store.failNextReservations(2, new IOException("connection reset"));
 * }</pre>
 */
public final class InMemorySequenceStore implements SequenceStore {

  private final ConcurrentMap<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private final FaultScript reservationFaults = new FaultScript();
  private final FaultScript releaseFaults = new FaultScript();

  private final AtomicLong reservations = new AtomicLong();
  private final AtomicLong releases = new AtomicLong();
  private final AtomicLong aborts = new AtomicLong();

  /** Written by the setters, read when an attempt starts; null answers synchronously. */
  private volatile @Nullable Latency latency;

  /** Written by the setters, read when a request is about to take effect; null when all is well. */
  private volatile @Nullable Throwable outage;

  /** How long an answer takes; a null Scheduler means {@link Schedulers#parallel()}. */
  private record Latency(Duration duration, @Nullable Scheduler scheduler) {}

  private InMemorySequenceStore() {}

  /** {@return a new store without sequences} */
  public static InMemorySequenceStore create() {
    return new InMemorySequenceStore();
  }

  /**
   * Returns a store with one sequence.
   *
   * @param startValue the first value of the sequence
   * @throws SequenceExhaustedException if {@code startValue} exceeds {@link
   *     SequenceState#LARGEST_VALUE}
   */
  public static InMemorySequenceStore withSequence(String sequence, long startValue) {
    InMemorySequenceStore store = create();
    SequenceState start = SequenceState.starting(sequence, startValue);
    store.counters.put(sequence, new AtomicLong(start.nextValue()));
    return store;
  }

  /**
   * Sets the latency of attempts that start from now on, on {@link Schedulers#parallel()} as it is
   * when the attempt starts: the time is virtual if virtual time is enabled then.
   *
   * @param duration the time from subscription to answer; zero, the default, answers on the
   *     subscribing thread
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public InMemorySequenceStore latency(Duration duration) {
    return setLatency(duration, null);
  }

  /**
   * Sets the latency of attempts that start from now on.
   *
   * @param duration the time from subscription to answer; zero, the default, answers on the
   *     subscribing thread without the Scheduler
   * @param scheduler the Scheduler of the delay and the answer
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public InMemorySequenceStore latency(Duration duration, Scheduler scheduler) {
    return setLatency(duration, Objects.requireNonNull(scheduler, "scheduler"));
  }

  private InMemorySequenceStore setLatency(Duration duration, @Nullable Scheduler scheduler) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("latency must be 0 or more, was " + duration);
    }
    latency = duration.isZero() ? null : new Latency(duration, scheduler);
    return this;
  }

  /**
   * Scripts attempts at a reservation that fail without moving the counter.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore failNextReservations(int attempts, Throwable error) {
    reservationFaults.add(attempts, Outcome.FAILURE, Objects.requireNonNull(error, "error"));
    return this;
  }

  /**
   * Scripts attempts at a reservation that are never answered and do not move the counter.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore hangNextReservations(int attempts) {
    reservationFaults.add(attempts, Outcome.SILENCE);
    return this;
  }

  /**
   * Scripts attempts at a reservation that lose a conflict with another transaction. The store
   * retries, as on a database, so the subscriber only notices the latency of the lost attempts;
   * {@link #aborts()} counts them.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore abortNextReservations(int attempts) {
    reservationFaults.add(attempts, Outcome.ABORT);
    return this;
  }

  /**
   * Scripts attempts at a reservation that move the counter and whose answer is lost: the
   * subscriber receives the error, and the values are a gap.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore loseNextReservationAnswers(int attempts, Throwable error) {
    reservationFaults.add(attempts, Outcome.LOST_ANSWER, Objects.requireNonNull(error, "error"));
    return this;
  }

  /**
   * Scripts releases that fail without moving the counter.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore failNextReleases(int attempts, Throwable error) {
    releaseFaults.add(attempts, Outcome.FAILURE, Objects.requireNonNull(error, "error"));
    return this;
  }

  /**
   * Scripts releases that are never answered and do not move the counter.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore hangNextReleases(int attempts) {
    releaseFaults.add(attempts, Outcome.SILENCE);
    return this;
  }

  /**
   * Scripts releases that take effect if possible, and whose answer is lost.
   *
   * @param attempts the number of attempts, 0 or more
   * @throws IllegalArgumentException if {@code attempts} is negative
   */
  public InMemorySequenceStore loseNextReleaseAnswers(int attempts, Throwable error) {
    releaseFaults.add(attempts, Outcome.LOST_ANSWER, Objects.requireNonNull(error, "error"));
    return this;
  }

  /**
   * Fails all requests of every kind that would take effect until {@link #endOutage}. They still
   * consume the scripts.
   */
  public InMemorySequenceStore startOutage(Throwable error) {
    outage = Objects.requireNonNull(error, "error");
    return this;
  }

  /** Ends an outage. Does nothing if there is none. */
  public InMemorySequenceStore endOutage() {
    outage = null;
    return this;
  }

  /**
   * Returns how many reservations were subscribed to, with any outcome. One that was aborted and
   * retried counts once.
   *
   * @return the number since the store was created
   */
  public long reservations() {
    return reservations.get();
  }

  /**
   * {@return how many releases were subscribed to since the store was created, with any outcome}
   */
  public long releases() {
    return releases.get();
  }

  /**
   * {@return how many attempts at a reservation lost a scripted conflict since the store was
   * created}
   */
  public long aborts() {
    return aborts.get();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Attempts follow the script for reservations.
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return reserving(() -> take(request));
  }

  /** Counts a reservation, and follows the script. */
  <T> Mono<T> reserving(Callable<T> effect) {
    return Mono.defer(
        () -> {
          reservations.incrementAndGet();
          return attempt(reservationFaults, effect);
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>Attempts follow the script for releases.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return Mono.defer(
        () -> {
          releases.incrementAndGet();
          return attempt(releaseFaults, () -> putBack(sequence, tail));
        });
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.defer(
        () ->
            afterLatency(
                    () ->
                        counters.putIfAbsent(
                            sequence,
                            new AtomicLong(
                                SequenceState.starting(sequence, startValue).nextValue())))
                .then());
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return Mono.defer(
        () -> afterLatency(() -> new SequenceState(sequence, counter(sequence).get())));
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return Mono.defer(
        () ->
            afterLatency(
                () ->
                    new SequenceState(
                        sequence, counter(sequence).accumulateAndGet(nextValue, Math::max))));
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean isReleasable() {
    return true;
  }

  /**
   * Returns a sequence for code that takes its values in a transaction, which may be any object.
   * Values are taken at once, and a rollback does not return them.
   *
   * @param name the name of the sequence
   * @param <C> the type of a transaction
   * @return a sequence whose values come from this store
   */
  public <C> TransactionalSequence<C> transactional(String name) {
    return new InMemoryTransactional<>(Objects.requireNonNull(name, "name"), this);
  }

  /**
   * Returns the sequences by name for code that takes values in a transaction, as {@link
   * #transactional} does.
   *
   * @param <C> the type of a transaction
   * @return sequences whose values come from this store
   */
  public <C> TransactionalSequences<C> transactionals() {
    return new InMemoryTransactionals<>(this, null);
  }

  private <T> Mono<T> attempt(FaultScript faults, Callable<T> effect) {
    FaultScript.Step step = faults.next();
    return switch (step.outcome()) {
      case SUCCESS -> afterLatency(effect);
      case FAILURE -> afterLatency(() -> null).then(step.fail());
      case SILENCE -> Mono.never();
      case ABORT ->
          afterLatency(aborts::incrementAndGet).then(Mono.defer(() -> attempt(faults, effect)));
      case LOST_ANSWER -> afterLatency(effect).then(step.fail());
    };
  }

  private <T> Mono<T> afterLatency(Callable<? extends @Nullable T> effect) {
    Latency current = latency;
    Mono<T> answer =
        Mono.defer(
            () -> {
              Throwable failure = outage;
              return failure == null ? Mono.fromCallable(effect) : Mono.error(failure);
            });
    if (current == null) {
      return answer;
    }
    Scheduler scheduler = current.scheduler();
    return Mono.delay(current.duration(), scheduler == null ? Schedulers.parallel() : scheduler)
        .then(answer);
  }

  SequenceBlock take(ReservationRequest request) {
    String sequence = request.sequence();
    long size = request.size();
    Long start = request.startIfMissing();
    if (start != null) {
      counters.putIfAbsent(sequence, new AtomicLong(start));
    }
    AtomicLong counter = counter(sequence);
    while (true) {
      SequenceState state = new SequenceState(sequence, counter.get());
      SequenceBlock block = state.block(size);
      if (counter.compareAndSet(block.first(), block.last() + 1)) {
        return block;
      }
    }
  }

  private boolean putBack(String sequence, SequenceBlock tail) {
    return tail.isRun()
        && tail.last() <= SequenceState.LARGEST_VALUE
        && counter(sequence).compareAndSet(tail.last() + 1, tail.first());
  }

  AtomicLong counter(String sequence) {
    AtomicLong counter = counters.get(sequence);
    if (counter == null) {
      throw new SequenceNotFoundException(
          sequence, "this in-memory store", "create(\"" + sequence + "\", 1)", null);
    }
    return counter;
  }
}
