package io.millrace;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Makes generators when they are used and retires them when they are not, without a lock.
 *
 * <p><b>Bound.</b> {@link #places} counts the generators that may be used. One is put into the map
 * before it has a place, so that all who need it at once find it, and one place does for them; if
 * there is none, it is taken out again. It gives its place up when it is retired; whoever meets one
 * that is retired sees to that first, lest it find no place and nobody idle. A retired one stays in
 * the map until its values are given back, for the next of its name to wait for that. There are
 * never more of these than there may be generators and requests at a time: give-backs and
 * reservations take their turns in one line, so that a generator made after a give-back got in line
 * gets its first values, and with them something to give back, after that.
 *
 * <p><b>Idleness</b> is found by a sweep, at a quarter of the time a generator may be idle, which
 * is what spares its users the clock.
 */
final class LiveGenerators {

  private static final int SWEEPS = 4;

  /** How often to look for an idle generator again, since one became idle during the look. */
  private static final int MAX_LOOKS = 1_000;

  /**
   * For how many nanoseconds, in all, one who looks waits for places to be handed on: a moment, or
   * some milliseconds if another thread loses its processor in that moment.
   */
  private static final long MAX_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

  private final ConcurrentMap<String, LiveGenerator> generators = new ConcurrentHashMap<>();
  private final AtomicInteger places = new AtomicInteger();

  /**
   * How many are between taking a place, from a retired generator or the free ones, and handing it
   * on: then neither {@link #places} nor any generator shows it.
   */
  private final AtomicInteger moving = new AtomicInteger();

  private final Usage usage = new Usage();

  private final int maxGenerators;
  private final Turnstile limit;
  private final Scheduler scheduler;
  private final long sweepNanos;

  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final Disposable.Swap sweepTimer = Disposables.swap();

  /** The number of uses at the latest sweep. Used by the sweep only. */
  private long usesAtLastSweep;

  private final AtomicBoolean closing = new AtomicBoolean();
  private final Sinks.Empty<Void> closed = Sinks.empty();

  LiveGenerators(int maxGenerators, Turnstile limit, Scheduler scheduler, Duration idleAfter) {
    this.maxGenerators = maxGenerators;
    this.limit = limit;
    this.scheduler = scheduler;
    this.sweepNanos = idleAfter.isZero() ? 0 : Math.max(1, idleAfter.toNanos() / SWEEPS);
  }

  /**
   * Leases the generator of a name, which is made if there is none.
   *
   * @throws SequenceDisposedException if all are disposed
   * @throws SequenceGeneratorLimitException if there is no place and none can be made
   */
  LiveGenerator lease(String name, Supplier<SequenceGeneratorBuilder> options) {
    for (; ; ) {
      if (isClosing()) {
        throw new SequenceDisposedException(name);
      }
      LiveGenerator current = generators.get(name);
      if (current != null && current.lease()) {
        return current;
      }
      if (current != null && current.isRefused()) {
        takeOut(current);
        continue;
      }
      if (current == null || current.isRetired()) {
        current = install(current, new LiveGenerator(name, options.get(), limit, usage, current));
      }
      if (current != null && findPlace(current)) {
        return current;
      }
    }
  }

  /** Puts a generator into the map; null if somebody else was first, or all are disposed. */
  private @Nullable LiveGenerator install(@Nullable LiveGenerator previous, LiveGenerator made) {
    if (previous != null) {
      vacate(previous);
    }
    boolean installed =
        previous == null
            ? generators.putIfAbsent(made.name(), made) == null
            : generators.replace(made.name(), previous, made);
    if (installed && isClosing()) { // perhaps after the others were disposed; it holds nothing
      forget(made);
      return null;
    }
    return installed ? made : null;
  }

  /**
   * Finds a place for a generator.
   *
   * @return true with a lease of it, false if it needs no place any more
   * @throws SequenceGeneratorLimitException if there is none
   */
  private boolean findPlace(LiveGenerator made) {
    long until = System.nanoTime() + MAX_WAIT;
    usage.startSeeking();
    try {
      for (int looks = 0; looks < MAX_LOOKS; looks++) {
        long idled = usage.idled();
        while (places.get() < maxGenerators || evictLeastRecentlyUsed()) {
          if (takePlace(made)) {
            made.opened();
            startSweeping();
            return true;
          }
          if (!made.isUnplaced()) {
            return false;
          }
        }
        if (!made.isUnplaced()) {
          return false;
        }
        if (moving.get() == 0 && usage.idled() == idled) {
          break; // nothing disturbed the look
        }
        while (moving.get() != 0 && System.nanoTime() - until < 0) {
          // a place is handed on within a moment
        }
      }
    } finally {
      usage.stopSeeking();
    }
    if (!made.refuse()) {
      return false;
    }
    takeOut(made);
    throw new SequenceGeneratorLimitException(made.name(), maxGenerators);
  }

  private boolean takePlace(LiveGenerator made) {
    moving.incrementAndGet();
    try {
      int taken = places.get();
      if (taken >= maxGenerators || !places.compareAndSet(taken, taken + 1)) {
        return false;
      }
      if (made.place()) {
        return true;
      }
      freePlace();
      return false;
    } finally {
      usage.noteIdle(); // or not as it was, at least
      moving.decrementAndGet();
    }
  }

  /** Takes a generator that got no place out of the map, and leaves whom it follows to be found. */
  private void takeOut(LiveGenerator refused) {
    LiveGenerator previous = refused.previous();
    if (previous == null) {
      generators.remove(refused.name(), refused);
    } else if (generators.replace(refused.name(), refused, previous) && previous.isGone()) {
      generators.remove(refused.name(), previous);
    }
  }

  private void freePlace() {
    places.decrementAndGet();
    usage.noteIdle();
  }

  /** Makes a place free, perhaps for another; false if all are in use. */
  private boolean evictLeastRecentlyUsed() {
    for (; ; ) {
      LiveGenerator oldest = null;
      for (LiveGenerator each : generators.values()) {
        if (each.isIdle()) { // asked first: one that is idle is not retired yet
          oldest = oldest == null || each.lastUse() < oldest.lastUse() ? each : oldest;
        } else if (vacate(each)) {
          return true;
        }
      }
      if (oldest == null) {
        return false;
      }
      if (evict(oldest)) {
        return true;
      }
    }
  }

  private boolean evict(LiveGenerator idle) {
    if (!idle.retire()) {
      return false;
    }
    vacate(idle);
    forget(idle);
    return true;
  }

  private boolean vacate(LiveGenerator retired) {
    if (!retired.hasPlaceToGiveUp()) {
      return false;
    }
    moving.incrementAndGet();
    try {
      boolean first = retired.vacate();
      if (first) {
        freePlace();
      }
      return first;
    } finally {
      moving.decrementAndGet();
    }
  }

  /** Ends a generator, and takes it out of the map when its values are given back. */
  private void forget(LiveGenerator ended) {
    ended
        .end()
        .subscribe(nothing -> {}, neverFails -> {}, () -> generators.remove(ended.name(), ended));
  }

  /** Evicts the generator of a name if nobody uses it; completes when its values are given back. */
  Mono<Void> evict(String name) {
    LiveGenerator current = generators.get(name);
    if (current == null || evict(current) || current.isRetired()) {
      return current == null ? Mono.empty() : current.end();
    }
    LiveGenerator before = current.previous();
    return before == null ? Mono.empty() : before.end();
  }

  @Nullable SequenceGeneratorSnapshot snapshot(String name) {
    LiveGenerator current = generators.get(name);
    return current == null ? null : current.snapshot();
  }

  List<SequenceGeneratorSnapshot> snapshots() {
    return generators.values().stream()
        .map(LiveGenerator::snapshot)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparing(SequenceGeneratorSnapshot::sequence))
        .toList();
  }

  /** For tests: how many there are, the retired ones that give values back among them. */
  int held() {
    return generators.size();
  }

  boolean isClosing() {
    return closing.get();
  }

  /** Disposes all, used or not; completes when everything is given back. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          if (closing.compareAndSet(false, true)) {
            sweepTimer.dispose();
            List<Mono<Void>> ends = generators.values().stream().map(LiveGenerator::end).toList();
            Mono.when(ends)
                .subscribe(
                    nothing -> {},
                    neverFails -> {},
                    () -> {
                      generators.clear();
                      closed.tryEmitEmpty();
                    });
          }
          return closed.asMono();
        });
  }

  // The sweep.

  private void startSweeping() {
    if (sweepNanos > 0 && sweeping.compareAndSet(false, true)) {
      schedule();
    }
  }

  private void schedule() {
    try {
      sweepTimer.replace(scheduler.schedule(this::sweep, sweepNanos, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException shutDown) {
      sweeping.set(false); // without a clock nothing is idle for long
    }
  }

  /** Runs on the scheduler, one run at a time. */
  private void sweep() {
    long usesNow = usage.next(); // no use has this number, so all before it are told apart
    for (LiveGenerator each : generators.values()) {
      if (each.countIdleSweep(usesAtLastSweep) >= SWEEPS) {
        evict(each);
      }
    }
    usesAtLastSweep = usesNow;
    if (!generators.isEmpty()) {
      schedule();
      return;
    }
    sweeping.set(false);
    if (!generators.isEmpty()) { // since; whoever came found a sweep that went on
      startSweeping();
    }
  }
}
