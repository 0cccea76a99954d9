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
 * A generator that {@link LiveGenerators} made, and who uses it.
 *
 * <p><b>Invariant.</b> Each subscription holds a lease from before it reaches the generator until
 * its end, except that {@link NamedNextSubscription} claims a buffered value without one; so does
 * the generator that this one follows, until its values are given back, since the next of its name
 * has to learn of both. {@link #leases} goes from no lease to {@link #RETIRED} in one step and
 * stays there; so a generator that is retired has no subscription and gets none, and no
 * subscription can meet its disposal. A claim without a lease may: it comes before the block is
 * sealed, and then the value is not in what is given back, or it gets no value and seeks a lease.
 *
 * <p>{@link #WATCHED} is set, beside the number of leases, while the generator is not in the order
 * of the idle ones: when it is made, and when the loop finds it in use. Who ends the last lease
 * then, and takes the mark away, says that it is idle. So an idle generator is in that order, or on
 * its way there by a thread that is still inside {@link #release}.
 */
final class LiveGenerator {

  /** Nobody will use it any more. */
  private static final int RETIRED = -1;

  private static final int WATCHED = 1 << 30;

  private static final AtomicIntegerFieldUpdater<LiveGenerator> LEASES =
      AtomicIntegerFieldUpdater.newUpdater(LiveGenerator.class, "leases");

  private static final AtomicIntegerFieldUpdater<LiveGenerator> ENDING =
      AtomicIntegerFieldUpdater.newUpdater(LiveGenerator.class, "ending");

  private static final AtomicLongFieldUpdater<LiveGenerator> LAST_USE =
      AtomicLongFieldUpdater.newUpdater(LiveGenerator.class, "lastUse");

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<LiveGenerator, Sinks.@Nullable Empty> GONE =
      AtomicReferenceFieldUpdater.newUpdater(LiveGenerator.class, Sinks.Empty.class, "gone");

  private final LiveGenerators home;
  private final String name;
  private final AfterRelease bulkhead;

  /** Set when everything is given back, before {@link #gone} is told. */
  private volatile boolean isGone;

  /** 1 once somebody has ended it, else 0. */
  private volatile int ending;

  /** Completes once everything is given back; null until somebody asks for that. */
  private volatile Sinks.@Nullable Empty<Void> gone;

  /** Whom this one follows; null if nobody, or once that is gone. */
  private volatile @Nullable LiveGenerator previous;

  /** Null once it is retired and gone, for those who still hold this object. */
  private @Nullable BufferedSequenceGenerator generator;

  /** The number of leases, perhaps with a mark, or RETIRED. */
  private volatile int leases = WATCHED;

  /** The number of the latest use. Written at the end of each. */
  private volatile long lastUse;

  /** Where it is among the idle ones, or -1. Used by {@link IdleOrder} only. */
  int orderIndex = -1;

  LiveGenerator(
      LiveGenerators home, String name, SequenceGeneratorBuilder options, Bulkhead limit) {
    this.home = home;
    this.name = name;
    this.bulkhead = new AfterRelease(limit);
    this.generator = options.bulkhead(bulkhead).buildUnopened();
  }

  String name() {
    return name;
  }

  /** Has it begin when another one's values are given back. Called before anybody can find it. */
  void follow(LiveGenerator before) {
    previous = before;
    bulkhead.after(before.gone());
    LEASES.incrementAndGet(this);
    before
        .gone()
        .subscribe(
            nothing -> {},
            neverFails -> {},
            () -> {
              previous = null;
              endLease();
            });
  }

  /** Tells the recorder; called once, by the holder of the first lease. */
  void opened() {
    Objects.requireNonNull(generator).opened();
  }

  /** Takes a lease; false if it is retired. */
  boolean lease() {
    for (int held = leases; held >= 0; held = leases) {
      if (LEASES.compareAndSet(this, held, held + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Ends a subscription's lease. At the end of a stack it throws and has not ended it. */
  void release() {
    used(); // seen by whoever sees that the lease has ended
    endLease();
  }

  /** Notes a use. */
  void used() {
    if (lastUse != home.latestUse()) {
      LAST_USE.lazySet(this, home.nextUse());
    }
  }

  private void endLease() {
    for (; ; ) {
      int held = leases;
      if (held == (WATCHED | 1)) {
        StackRoom.forTelling();
        if (LEASES.compareAndSet(this, held, 0)) {
          home.idle(this);
          return;
        }
      } else if (LEASES.compareAndSet(this, held, held - 1)) {
        return;
      }
    }
  }

  /** Has the end of the last lease told, and returns true; false if there is no lease. */
  boolean watch() {
    for (int held = leases; held > 0; held = leases) {
      if (LEASES.compareAndSet(this, held, held | WATCHED)) {
        return true;
      }
    }
    return false;
  }

  /** Retires it if nobody uses it; whoever is told true has to have it ended. */
  boolean retire() {
    return LEASES.compareAndSet(this, 0, RETIRED) || LEASES.compareAndSet(this, WATCHED, RETIRED);
  }

  boolean isRetired() {
    return leases == RETIRED;
  }

  /** For those who hold a lease. */
  SequenceGenerator generator() {
    return Objects.requireNonNull(generator);
  }

  /** Null once it is retired and gone; for those who hold no lease, and may find it disposed. */
  @Nullable BufferedSequenceGenerator generatorIfAny() {
    return generator;
  }

  /** What it holds, or null if it is retired. */
  @Nullable SequenceGeneratorSnapshot snapshot() {
    BufferedSequenceGenerator current = generator;
    return isRetired() || current == null ? null : current.snapshot();
  }

  long lastUse() {
    return lastUse;
  }

  /** Whom this one follows, if that one is not gone. */
  @Nullable LiveGenerator previous() {
    return previous;
  }

  /**
   * Disposes the generator, and completes when its values are given back, and those of the one that
   * it follows. Never fails.
   */
  Mono<Void> end() {
    BufferedSequenceGenerator ended = generator;
    if (ended != null && ENDING.compareAndSet(this, 0, 1)) {
      LiveGenerator before = previous;
      try {
        ended
            .disposeLater()
            .then(before == null ? Mono.empty() : before.gone())
            .subscribe(nothing -> {}, neverFails -> over(), this::over);
      } catch (Throwable broken) {
        over(); // else the next of its name would wait for ever
        DroppedErrors.tell(broken);
      }
    }
    return gone();
  }

  private void over() {
    if (isRetired()) {
      generator = null;
    }
    isGone = true;
    Sinks.Empty<Void> asked = gone;
    if (asked != null) {
      asked.tryEmitEmpty();
    }
  }

  private Mono<Void> gone() {
    if (gone == null) {
      GONE.compareAndSet(this, null, Sinks.empty());
    }
    Sinks.Empty<Void> asked = Objects.requireNonNull(gone);
    if (isGone) { // perhaps since before it could be told
      asked.tryEmitEmpty();
    }
    return asked.asMono();
  }
}
