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
 * Makes generators when they are first used and retires them when they are idle, without a lock.
 *
 * <p><b>Lease.</b> A thread that finds a generator in the map leases it there. The {@link
 * RequestLoop} does everything else: only the loop puts generators into the map, retires them and
 * updates {@link #liveCount}. Threads pass on its decisions, and end the generators that it
 * retired, outside the loop.
 *
 * <p><b>Refusal.</b> An idle generator is in {@link #idleOrder}, or in {@link #newlyIdle} on its
 * way there. The loop refuses a subscriber if it finds {@code newlyIdle} empty and then {@code
 * idleOrder} empty: every generator had a lease at the moment when {@code newlyIdle} was empty. A
 * generator that the loop found leased, and that becomes idle while the loop checks others, comes
 * back through {@code newlyIdle}.
 *
 * <p><b>Memory.</b> A retired generator stays in the map until its values are given back, because
 * the next generator of its name waits for that. The number of retired generators is at most {@code
 * maxGenerators} plus the number of requests admitted at a time. (This does not count those that a
 * thread is about to end.) The reason: releases and reservations wait for admission in one line. A
 * generator that is made after a release joined the line gets its first values after that release,
 * and has nothing to give back earlier.
 *
 * <p><b>Sweep.</b> A timer runs every quarter of the time that a generator may be idle, and retires
 * the generators that were idle for that long. Uses are numbered, and each sweep notes the latest
 * number. So a use does not read the clock.
 */
final class LiveGenerators {

  /** How many sweeps there are in the time that a generator may be idle. */
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

  /** Generators that became idle and are not in {@link #idleOrder} yet. */
  private final Queue<LiveGenerator> newlyIdle = new ConcurrentLinkedQueue<>();

  /** The number of the latest use. A generator has number 0 before its first use. */
  private final AtomicLong uses = new AtomicLong(1);

  private final int maxGenerators;
  private final Bulkhead bulkhead;
  private final Scheduler scheduler;
  private final RequestLoop loop;
  private final long sweepNanos;

  /** How many generators in the map are not retired. Written by the loop only. */
  private volatile int liveCount;

  /** The generators that were idle when the loop last checked them. Used by the loop only. */
  private final IdleOrder idleOrder = new IdleOrder();

  /** The number of the latest use at each of the latest sweeps. Used by the loop only. */
  private final Deque<Long> usesAtSweeps = new ArrayDeque<>();

  /** Whether the timer of the sweep is set, or about to be set. */
  private final AtomicBoolean sweepScheduled = new AtomicBoolean();

  private final Disposable.Swap sweepTimer = Disposables.swap();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Sinks.Empty<Void> closed = Sinks.empty();

  LiveGenerators(int maxGenerators, Bulkhead bulkhead, Scheduler scheduler, Duration idleAfter) {
    this.maxGenerators = maxGenerators;
    this.bulkhead = bulkhead;
    this.scheduler = scheduler;
    this.loop = new RequestLoop(scheduler, this::moveNextToOrder);
    this.sweepNanos = idleAfter.isZero() ? 0 : Math.max(1, idleAfter.toNanos() / SWEEPS);
  }

  // Called by subscriptions.

  /** The generator of a name, or null if there is none. */
  @Nullable LiveGenerator find(String name) {
    return generators.get(name);
  }

  /** Leases the generator of a name. Returns null if there is none to lease: call {@link #seek}. */
  @Nullable LiveGenerator lease(String name) {
    LiveGenerator current = generators.get(name);
    return current != null && !isClosing() && current.lease() ? current : null;
  }

  /**
   * Passes the subscriber a lease of the generator of a name, and makes the generator if there is
   * none. The subscriber fails with {@link SequenceDisposedException} if this object is disposed,
   * with {@link SequenceGeneratorLimitException} if no other generator can be made, or with what
   * the options throw.
   *
   * <p>The subscriber gets the lease or the error before this method returns, or on the scheduler
   * if the scheduler or another thread runs the loop.
   *
   * @param options called on the calling thread
   */
  <T> void seek(
      String name,
      Supplier<SequenceGeneratorBuilder> options,
      CoreSubscriber<? super T> actual,
      Seek.LeaseAction<T> action) {
    StackRoom.forWorkAndDraining(); // fails here, before anything has begun
    Seek<T> seek;
    try {
      if (isClosing()) {
        throw new SequenceDisposedException(name);
      }
      seek = new Seek<>(new LiveGenerator(this, name, options.get(), bulkhead), actual, action);
    } catch (Throwable refused) {
      Seek.refuse(actual, refused);
      return;
    }
    try {
      loop.submit(() -> proceed(seek));
    } catch (Throwable broken) {
      if (seek.abandon()) {
        throw broken;
      }
    }
    seek.passOrDefer();
  }

  long latestUse() {
    return uses.get();
  }

  long nextUse() {
    return uses.incrementAndGet();
  }

  /** Notes that a watched generator became idle. Enters the loop only if there is stack for it. */
  void becameIdle(LiveGenerator generator) {
    newlyIdle.add(generator);
    try {
      StackRoom.forWorkAndDraining();
      loop.run();
    } catch (StackOverflowError overflow) {
      // no subscriber waits for this; the next request enters the loop
    }
  }

  // Run by the loop.

  /** Moves one newly idle generator into {@link #idleOrder}. Returns false if there is none. */
  private boolean moveNextToOrder() {
    LiveGenerator next = newlyIdle.peek();
    if (next == null) {
      return false;
    }
    if (!next.isRetired()) {
      idleOrder.add(next);
    }
    newlyIdle.poll();
    return true;
  }

  private boolean proceed(Seek<?> seek) {
    LiveGenerator candidate = seek.candidate();
    LiveGenerator current = generators.get(candidate.name());
    LiveGenerator oldest = idleOrder.first();
    if (seek.isUnwanted() && current != candidate) { // if installed, lease and end it
      return true;
    } else if (isClosing()) {
      seek.refuse(new SequenceDisposedException(candidate.name()));
    } else if (current != null && current.lease()) {
      seek.grant(current);
    } else if (liveCount < maxGenerators) {
      install(candidate, current);
      return false;
    } else if (oldest != null) {
      retireUnlessUsed(oldest);
      return false;
    } else {
      seek.refuse(new SequenceGeneratorLimitException(candidate.name(), maxGenerators));
    }
    loop.afterwards(() -> seek.onDecided(scheduler));
    return true;
  }

  /** Puts a generator into the map. The request that it was made for leases it in the next step. */
  private void install(LiveGenerator added, @Nullable LiveGenerator retired) {
    if (retired != null) {
      added.startAfter(retired);
    }
    generators.put(added.name(), added);
    liveCount = liveCount + 1;
    if (sweepNanos > 0 && sweepScheduled.compareAndSet(false, true)) {
      loop.afterwards(this::setTimer);
    }
  }

  /** Retires the first generator in the order, unless it is leased or was used again. */
  private void retireUnlessUsed(LiveGenerator oldest) {
    if (oldest.watch()) {
      idleOrder.remove(oldest);
    } else if (oldest.lastUse() != idleOrder.firstUse()) {
      idleOrder.renewFirst();
    } else if (oldest.retire()) {
      removeLive(oldest);
      loop.afterwards(() -> end(oldest));
    } // else a thread leased it just now
  }

  private void removeLive(LiveGenerator retired) {
    idleOrder.remove(retired);
    liveCount = liveCount - 1;
  }

  // Run outside the loop.

  /** Ends a generator, and removes it from the map when its values are given back. */
  private Mono<Void> end(LiveGenerator ended) {
    Mono<Void> gone = ended.end();
    gone.subscribe(nothing -> {}, neverFails -> {}, () -> generators.remove(ended.name(), ended));
    return gone;
  }

  /** Evicts the generator of a name if it is idle; completes when its values are given back. */
  Mono<Void> evict(String name) {
    Sinks.Empty<Void> done = Sinks.empty();
    loop.submit(
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

  /**
   * Retires the generator of a name if it is idle. Returns the generator whose values {@link
   * #evict} waits for, or null: the retired one, or the predecessor of one in use.
   */
  private @Nullable LiveGenerator retire(String name) {
    LiveGenerator current = generators.get(name);
    if (current == null || current.isRetired()) {
      return current;
    }
    if (current.retire()) {
      removeLive(current);
      return current;
    }
    return current.predecessor();
  }

  /**
   * Disposes all generators, idle or not; completes when all values are given back. Each
   * subscription submits the request: that of an earlier one may have ended with its stack.
   */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          StackRoom.forWorkAndDraining(); // fails here, before anything has begun
          closing.set(true);
          sweepTimer.dispose();
          loop.submit(
              () -> {
                loop.afterwards(this::endAll); // from now on nothing is put into the map
                return true;
              });
          return closed.asMono();
        });
  }

  /** Runs on the scheduler if the thread that left the loop has too little stack. */
  private void endAll() {
    try {
      StackRoom.forWorkAndDraining();
    } catch (StackOverflowError full) {
      scheduler.schedule(this::endAll);
      return;
    }
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
      sweepScheduled.set(false); // without a timer nothing is retired by age
    }
  }

  /** Runs on the scheduler. */
  private void sweep() {
    long usesNow = nextUse(); // no use has this number: earlier uses are below, later above
    loop.submit(() -> sweep(usesNow));
  }

  /** Retires the generators that were not used since the sweep {@link #SWEEPS} sweeps ago. */
  private boolean sweep(long usesNow) {
    LiveGenerator oldest = idleOrder.first();
    if (oldest != null
        && usesAtSweeps.size() == SWEEPS
        && idleOrder.firstUse() <= usesAtSweeps.getFirst()) {
      retireUnlessUsed(oldest);
      return false;
    }
    usesAtSweeps.addLast(usesNow);
    if (usesAtSweeps.size() > SWEEPS) {
      usesAtSweeps.removeFirst();
    }
    if (liveCount > 0) {
      loop.afterwards(this::setTimer);
    } else {
      sweepScheduled.set(false);
    }
    return true;
  }

  // For snapshots and tests.

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

  /** For tests. */
  RequestLoop loop() {
    return loop;
  }

  /** For tests: how many generators there are, including retired ones that give values back. */
  int held() {
    return generators.size();
  }

  /** For tests: how many generators are not retired. */
  int liveCount() {
    return liveCount;
  }
}
