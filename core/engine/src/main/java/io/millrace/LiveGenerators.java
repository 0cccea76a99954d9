package io.millrace;

import io.millrace.internal.StackRoom;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Makes generators when they are used and retires them when they are not, without a lock.
 *
 * <p><b>A generator that is there</b> is leased by whoever finds it in the map. Everything else is
 * done by the {@link RequestLoop}: it alone puts generators into the map, retires them, and counts
 * {@link #places}, the generators that are not retired. What it decides is passed on, and whom it
 * retires is ended, outside the loop.
 *
 * <p><b>Refusal.</b> An idle generator is in {@link #order}, or in {@link #idle} on its way there.
 * A subscriber is refused when the first is empty after the second was: at the moment the second
 * was found empty, each generator had a lease. One that becomes idle again and again while others
 * are looked at comes back by way of the queue, and is found.
 *
 * <p><b>Memory.</b> A retired generator stays in the map until its values are given back, for the
 * next of its name to wait for that. There are never more of these than there may be generators and
 * requests at a time, but for those that threads are about to end: give-backs and reservations are
 * admitted from one line, so that a generator made after a give-back got in line gets its first
 * values, and with them something to give back, after that.
 *
 * <p><b>Idleness</b> is found by a sweep, at a quarter of the time a generator may be idle, which
 * is what spares its users the clock: uses are numbered, and the sweep notes how far the numbers
 * were.
 */
final class LiveGenerators {

  private static final int SWEEPS = 4;

  static {
    StackRoom.initialize(
        MethodHandles.lookup(),
        LiveGenerator.class,
        Seek.class,
        LeasedSubscriber.class,
        LeasedRunSubscriber.class,
        NamedNextSubscription.class,
        NamedNextSubscription.Leased.class);
  }

  private final ConcurrentMap<String, LiveGenerator> generators = new ConcurrentHashMap<>();

  /** Generators that have become idle and are not in the order. */
  private final Queue<LiveGenerator> idle = new ConcurrentLinkedQueue<>();

  /** The numbers of uses. Above the number that a generator has before its first use. */
  private final AtomicLong uses = new AtomicLong(1);

  private final int maxGenerators;
  private final Bulkhead limit;
  private final Scheduler scheduler;
  private final RequestLoop loop;
  private final long sweepNanos;

  /** How many generators are not retired. Written by the loop only. */
  private volatile int places;

  /** Those that were idle when they were last looked at. Used by the loop only. */
  private final IdleOrder order = new IdleOrder();

  /** How far the numbers of uses were at the latest sweeps. Used by the loop only. */
  private final Deque<Long> usesAtSweeps = new ArrayDeque<>();

  /** Whether the timer of the sweep is set, or about to be. */
  private final AtomicBoolean sweeping = new AtomicBoolean();

  private final Disposable.Swap sweepTimer = Disposables.swap();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Sinks.Empty<Void> closed = Sinks.empty();

  LiveGenerators(int maxGenerators, Bulkhead limit, Scheduler scheduler, Duration idleAfter) {
    this.maxGenerators = maxGenerators;
    this.limit = limit;
    this.scheduler = scheduler;
    this.loop = new RequestLoop(scheduler, this::orderIdle);
    this.sweepNanos = idleAfter.isZero() ? 0 : Math.max(1, idleAfter.toNanos() / SWEEPS);
  }

  // What subscriptions call.

  /** The generator of a name, if there is one. */
  @Nullable LiveGenerator find(String name) {
    return generators.get(name);
  }

  /** Leases the generator of a name; null if there is none, and one has to be sought. */
  @Nullable LiveGenerator lease(String name) {
    LiveGenerator current = generators.get(name);
    return current != null && !isClosing() && current.lease() ? current : null;
  }

  /**
   * Has a subscriber get a lease of the generator of a name, which is made if there is none, or
   * fail with {@link SequenceDisposedException} if all are disposed, with {@link
   * SequenceGeneratorLimitException} if there is no place and none can be made, or with what its
   * options throw: before this returns, or on the scheduler if that does the work, or another
   * thread.
   *
   * @param options called on this thread
   */
  <T> void seek(
      String name,
      Supplier<SequenceGeneratorBuilder> options,
      CoreSubscriber<? super T> actual,
      Seek.Lessee<T> lessee) {
    StackRoom.forWaiting(); // to begin nothing that is left half done
    Seek<T> seek;
    try {
      if (isClosing()) {
        throw new SequenceDisposedException(name);
      }
      seek = new Seek<>(new LiveGenerator(this, name, options.get(), limit), actual, lessee);
    } catch (Throwable refused) {
      Seek.refuse(actual, refused);
      return;
    }
    try {
      loop.ask(() -> proceed(seek));
    } catch (Throwable broken) {
      if (seek.abandon()) {
        throw broken;
      }
    }
    seek.passOrLeave();
  }

  long latestUse() {
    return uses.get();
  }

  long nextUse() {
    return uses.incrementAndGet();
  }

  /** A generator that was watched has become idle. Needs little stack; more if there is more. */
  void idle(LiveGenerator unused) {
    idle.add(unused);
    try {
      StackRoom.forWaiting();
      loop.run();
    } catch (StackOverflowError overflow) {
      // nobody waits for this; the next one who comes enters the loop
    }
  }

  // What the loop does.

  /** Puts one that has become idle into the order; false if there is none. */
  private boolean orderIdle() {
    LiveGenerator unused = idle.peek();
    if (unused == null) {
      return false;
    }
    if (!unused.isRetired()) {
      order.add(unused);
    }
    idle.poll();
    return true;
  }

  private boolean proceed(Seek<?> seek) {
    LiveGenerator made = seek.made();
    LiveGenerator current = generators.get(made.name());
    LiveGenerator oldest = order.first();
    if (seek.isInVain() && current != made) { // one that is installed is leased, and given up
      return true;
    } else if (isClosing()) {
      seek.refuse(new SequenceDisposedException(made.name()));
    } else if (current != null && current.lease()) {
      seek.grant(current);
    } else if (places < maxGenerators) {
      install(made, current);
      return false;
    } else if (oldest != null) {
      look(oldest);
      return false;
    } else {
      seek.refuse(new SequenceGeneratorLimitException(made.name(), maxGenerators));
    }
    loop.afterwards(() -> seek.decided(scheduler));
    return true;
  }

  /** Puts a generator into the map, where the one it was made for leases it in the next step. */
  private void install(LiveGenerator made, @Nullable LiveGenerator retired) {
    if (retired != null) {
      made.follow(retired);
    }
    generators.put(made.name(), made);
    places = places + 1;
    if (sweepNanos > 0 && sweeping.compareAndSet(false, true)) {
      loop.afterwards(this::setTimer);
    }
  }

  /** Retires the first in the order, unless that one is in use, or was used since. */
  private void look(LiveGenerator oldest) {
    if (oldest.watch()) {
      order.remove(oldest);
    } else if (oldest.lastUse() != order.firstUse()) {
      order.renewFirst();
    } else if (oldest.retire()) {
      leave(oldest);
      loop.afterwards(() -> end(oldest));
    } // else somebody has leased it in this moment
  }

  private void leave(LiveGenerator retired) {
    order.remove(retired);
    places = places - 1;
  }

  // Ends, outside the loop.

  /** Ends a generator, and takes it out of the map when its values are given back. */
  private Mono<Void> end(LiveGenerator ended) {
    Mono<Void> gone = ended.end();
    gone.subscribe(nothing -> {}, neverFails -> {}, () -> generators.remove(ended.name(), ended));
    return gone;
  }

  /** Evicts the generator of a name if nobody uses it; completes when its values are given back. */
  Mono<Void> evict(String name) {
    Sinks.Empty<Void> done = Sinks.empty();
    loop.ask(
        () -> {
          LiveGenerator ended = retire(name);
          loop.afterwards(
              () ->
                  (ended == null ? Mono.<Void>empty() : end(ended))
                      .subscribe(nothing -> {}, neverFails -> {}, done::tryEmitEmpty));
          return true;
        });
    return done.asMono();
  }

  /** Retires the generator of a name if it can; the one to wait for, or null if there is none. */
  private @Nullable LiveGenerator retire(String name) {
    LiveGenerator current = generators.get(name);
    if (current == null || current.isRetired()) {
      return current;
    }
    if (current.retire()) {
      leave(current);
      return current;
    }
    return current.previous();
  }

  /** Disposes all, used or not; completes when everything is given back. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          if (closing.compareAndSet(false, true)) {
            sweepTimer.dispose();
            loop.ask(
                () -> {
                  loop.afterwards(this::endAll); // nobody puts one into the map any more
                  return true;
                });
          }
          return closed.asMono();
        });
  }

  private void endAll() {
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

  boolean isClosing() {
    return closing.get();
  }

  // The sweep.

  private void setTimer() {
    try {
      sweepTimer.replace(scheduler.schedule(this::sweep, sweepNanos, TimeUnit.NANOSECONDS));
    } catch (Throwable refused) {
      sweeping.set(false); // without a clock nothing is idle for long
    }
  }

  /** Runs on the scheduler. */
  private void sweep() {
    long usesNow = nextUse(); // no use has this number, so all before it are told apart
    loop.ask(() -> sweep(usesNow));
  }

  /** Retires what was not used since the sweep four sweeps ago. */
  private boolean sweep(long usesNow) {
    LiveGenerator oldest = order.first();
    if (oldest != null
        && usesAtSweeps.size() == SWEEPS
        && order.firstUse() <= usesAtSweeps.getFirst()) {
      look(oldest);
      return false;
    }
    usesAtSweeps.addLast(usesNow);
    if (usesAtSweeps.size() > SWEEPS) {
      usesAtSweeps.removeFirst();
    }
    if (places > 0) {
      loop.afterwards(this::setTimer);
    } else {
      sweeping.set(false);
    }
    return true;
  }

  // Figures.

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

  /** For tests: what serves the requests. */
  RequestLoop loop() {
    return loop;
  }

  /** For tests: how many there are, the retired ones that give values back among them. */
  int held() {
    return generators.size();
  }

  /** For tests: how many there are, without the retired ones. */
  int places() {
    return places;
  }
}
