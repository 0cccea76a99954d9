package io.millrace;

import io.millrace.internal.DroppedErrors;
import io.millrace.internal.StackRoom;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A generator that {@link LiveGenerators} made, and the number of its leases.
 *
 * <p><b>Invariant.</b> A subscription takes a lease before it reaches the generator and holds it
 * until it ends. (Only {@link NamedNextSubscription} claims a buffered value without a lease.) A
 * generator that has a predecessor starts with one lease more. It ends when the values of the
 * predecessor are given back. So it cannot be retired earlier, and the next generator of the name
 * waits for both.
 *
 * <p>{@link #leases} goes from no lease to {@link #RETIRED} in one step and stays there. So a
 * retired generator has no subscription and gets none, and its disposal meets no subscription. It
 * may meet a claim without a lease. If the claim comes before the block is sealed, its value is not
 * among those given back. Otherwise the claim gets no value, and the subscription seeks a lease.
 *
 * <p>{@link #WATCHED} is a bit in {@link #leases}, set while the generator is not in {@link
 * IdleOrder}: when it is made, and when the loop finds it leased. The thread that then ends the
 * last lease clears the bit and reports the generator as idle. So an idle generator is in that
 * order, or on its way there in a thread that is still inside {@link #endLease}.
 */
final class LiveGenerator {

  /** The value of {@link #leases} after the generator was retired. */
  private static final int RETIRED = -1;

  /** While this bit is set, the thread that ends the last lease reports the generator as idle. */
  private static final int WATCHED = 1 << 30;

  private static final AtomicIntegerFieldUpdater<LiveGenerator> LEASES =
      AtomicIntegerFieldUpdater.newUpdater(LiveGenerator.class, "leases");

  private static final AtomicIntegerFieldUpdater<LiveGenerator> ENDING =
      AtomicIntegerFieldUpdater.newUpdater(LiveGenerator.class, "ending");

  private static final AtomicReferenceFieldUpdater<LiveGenerator, @Nullable LiveGenerator>
      PREDECESSOR =
          AtomicReferenceFieldUpdater.newUpdater(
              LiveGenerator.class, LiveGenerator.class, "predecessor");

  private static final AtomicLongFieldUpdater<LiveGenerator> LAST_USE =
      AtomicLongFieldUpdater.newUpdater(LiveGenerator.class, "lastUse");

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<LiveGenerator, Sinks.@Nullable Empty> GONE_SINK =
      AtomicReferenceFieldUpdater.newUpdater(LiveGenerator.class, Sinks.Empty.class, "goneSink");

  private final LiveGenerators owner;
  private final String name;
  private final AfterRelease bulkhead;

  /** Set when all values are given back, before {@link #goneSink} completes. */
  private volatile boolean isGone;

  /** 1 after the first call of {@link #end}, else 0. */
  private volatile int ending;

  /** Completes once all values are given back; null until the first {@link #whenGone}. */
  private volatile Sinks.@Nullable Empty<Void> goneSink;

  /** The predecessor of the same name; null if there is none, or once it is gone. */
  private volatile @Nullable LiveGenerator predecessor;

  /** Null once it is retired and gone, so that a handle does not keep it in memory. */
  private @Nullable BufferedSequenceGenerator generator;

  /** The number of leases, perhaps with {@link #WATCHED} set; or {@link #RETIRED}. */
  private volatile int leases = WATCHED;

  /** The number of the latest use. Written at the end of each use. */
  private volatile long lastUse;

  /** Its index in {@link IdleOrder}, or -1 if it is not in there. Used by that class only. */
  int orderIndex = -1;

  LiveGenerator(
      LiveGenerators owner, String name, SequenceGeneratorBuilder options, Bulkhead limit) {
    this.owner = owner;
    this.name = name;
    this.bulkhead = new AfterRelease(limit);
    this.generator = options.bulkhead(bulkhead).buildUnopened();
  }

  String name() {
    return name;
  }

  /**
   * Delays its requests until the predecessor is gone, and holds a lease until then. Called before
   * this is in the map.
   *
   * <p>The lease ends before the first request is admitted. Otherwise the subscriber of that
   * request could go on to another generator, and find this one still in use.
   */
  void startAfter(LiveGenerator predecessor) {
    this.predecessor = predecessor;
    LEASES.incrementAndGet(this);
    Mono<Void> gone = predecessor.whenGone().doOnSuccess(nothing -> predecessorIsGone());
    bulkhead.waitFor(gone);
    gone.subscribe(nothing -> {}, neverFails -> {});
  }

  /** Called by all that wait for the predecessor; the first ends the lease. */
  private void predecessorIsGone() {
    if (PREDECESSOR.getAndSet(this, null) != null) {
      removeLease();
    }
  }

  /** Tells the recorder; called once, by the holder of the first lease. */
  void opened() {
    Objects.requireNonNull(generator).opened();
  }

  /** Takes a lease. Returns false if the generator is retired. */
  boolean lease() {
    for (int held = leases; held >= 0; held = leases) {
      if (LEASES.compareAndSet(this, held, held + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Ends a subscription's lease. If the stack overflows, it throws and the lease has not ended. */
  void endLease() {
    used(); // before the lease ends: a thread that sees the end sees the use
    removeLease();
  }

  /** Gives the generator the next use number, unless it has the latest one. */
  void used() {
    if (lastUse != owner.latestUse()) {
      LAST_USE.lazySet(this, owner.nextUse());
    }
  }

  private void removeLease() {
    for (; ; ) {
      int held = leases;
      if (held == (WATCHED | 1)) {
        StackRoom.forLeaseEnd();
        if (LEASES.compareAndSet(this, held, 0)) {
          owner.becameIdle(this);
          return;
        }
      } else if (LEASES.compareAndSet(this, held, held - 1)) {
        return;
      }
    }
  }

  /** Requests a report when the last lease ends. Returns false if there is no lease. */
  boolean watch() {
    for (int held = leases; held > 0; held = leases) {
      if (LEASES.compareAndSet(this, held, held | WATCHED)) {
        return true;
      }
    }
    return false;
  }

  /** Retires it if it has no lease. A caller that gets true must make sure that it is ended. */
  boolean retire() {
    return LEASES.compareAndSet(this, 0, RETIRED) || LEASES.compareAndSet(this, WATCHED, RETIRED);
  }

  boolean isRetired() {
    return leases == RETIRED;
  }

  /** The generator. The caller holds a lease. */
  SequenceGenerator generator() {
    return Objects.requireNonNull(generator);
  }

  /** For callers without a lease: it may be disposed, and is null once it is retired and gone. */
  @Nullable BufferedSequenceGenerator generatorOrNull() {
    return generator;
  }

  /** A snapshot of the generator, or null if it is retired. */
  @Nullable SequenceGeneratorSnapshot snapshot() {
    BufferedSequenceGenerator current = generator;
    return isRetired() || current == null ? null : current.snapshot();
  }

  long lastUse() {
    return lastUse;
  }

  /** The predecessor of the same name, or null if there is none or it is gone. */
  @Nullable LiveGenerator predecessor() {
    return predecessor;
  }

  /**
   * Disposes the generator. Completes when its values and those of its predecessor are given back.
   * Never fails.
   */
  Mono<Void> end() {
    BufferedSequenceGenerator ended = generator;
    if (ended != null && ENDING.compareAndSet(this, 0, 1)) {
      LiveGenerator predecessor = this.predecessor;
      try {
        ended
            .disposeLater()
            .then(predecessor == null ? Mono.empty() : predecessor.whenGone())
            .subscribe(nothing -> {}, neverFails -> setGone(), this::setGone);
      } catch (Throwable broken) {
        setGone(); // else the next generator of the name would wait forever
        DroppedErrors.report(broken);
      }
    }
    return whenGone();
  }

  private void setGone() {
    if (isRetired()) {
      generator = null;
    }
    isGone = true;
    Sinks.Empty<Void> sink = goneSink;
    if (sink != null) {
      sink.tryEmitEmpty();
    }
  }

  private Mono<Void> whenGone() {
    if (goneSink == null) {
      GONE_SINK.compareAndSet(this, null, Sinks.empty());
    }
    Sinks.Empty<Void> sink = Objects.requireNonNull(goneSink);
    if (isGone) { // setGone may have missed the new sink
      sink.tryEmitEmpty();
    }
    return sink.asMono();
  }
}
