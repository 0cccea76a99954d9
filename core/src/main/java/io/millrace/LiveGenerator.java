package io.millrace;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A generator that {@link LiveGenerators} made, and who uses it.
 *
 * <p><b>Invariant.</b> Each subscription holds a lease from before it reaches the generator until
 * its end. {@link #leases} leaves {@link #UNPLACED} once, for the first lease or for good, and goes
 * from 0 to {@link #RETIRED} in one step and stays there; so a generator that is retired has no
 * subscription and gets none, and no subscription can meet its disposal.
 */
final class LiveGenerator {

  /** It is there for all who need it to find, and one of them to find a place for it. */
  private static final int UNPLACED = -1;

  /** Nobody will use it any more. */
  private static final int RETIRED = -2;

  /** Retired before it had a place. */
  private static final int REFUSED = -3;

  private static final AtomicIntegerFieldUpdater<LiveGenerator> LEASES =
      AtomicIntegerFieldUpdater.newUpdater(LiveGenerator.class, "leases");

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<LiveGenerator, Sinks.@Nullable Empty> GONE =
      AtomicReferenceFieldUpdater.newUpdater(LiveGenerator.class, Sinks.Empty.class, "gone");

  private final String name;

  /** Shared by all generators of a home. */
  private final Usage usage;

  private final AtomicBoolean vacated = new AtomicBoolean();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** Set when everything is given back, before {@link #gone} is told. */
  private volatile boolean isGone;

  /** Completes once everything is given back; null until somebody asks for that. */
  private volatile Sinks.@Nullable Empty<Void> gone;

  /** Whom this one follows; null if nobody, or once that is found to be gone. */
  private volatile @Nullable LiveGenerator previous;

  /** Null once it is retired and gone, for those who still hold this object. */
  private @Nullable BufferedSequenceGenerator generator;

  /** The subscriptions that run, or one of the above. */
  private volatile int leases = UNPLACED;

  /** The number of the latest use. Written at the end of each. */
  private volatile long lastUse;

  /** Sweeps in a row that found it unused. Used by the sweep only. */
  private int idleSweeps;

  LiveGenerator(
      String name,
      SequenceGeneratorBuilder options,
      Turnstile limit,
      Usage usage,
      @Nullable LiveGenerator previous) {
    this.name = name;
    this.usage = usage;
    this.previous = previous;
    this.generator =
        options
            .turnstile(previous == null ? limit : new AfterGiveBack(previous.gone(), limit))
            .buildUnopened();
  }

  String name() {
    return name;
  }

  boolean isUnplaced() {
    return leases == UNPLACED;
  }

  /** Hands a place to it, and the first lease to the caller; false if it needs no place. */
  boolean place() {
    return LEASES.compareAndSet(this, UNPLACED, 1);
  }

  /** Tells the recorder; called once, by the holder of the first lease. */
  void opened() {
    Objects.requireNonNull(generator).opened();
  }

  /** Retires it for want of a place; false if it has one, or needs none. */
  boolean refuse() {
    return LEASES.compareAndSet(this, UNPLACED, REFUSED);
  }

  boolean isRefused() {
    return leases == REFUSED;
  }

  /** Takes a lease; false if it has no place, or is retired. */
  boolean lease() {
    for (int held = leases; held >= 0; held = leases) {
      if (LEASES.compareAndSet(this, held, held + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Ends a lease. */
  void release() {
    if (lastUse != usage.latest()) {
      lastUse = usage.next();
    }
    LEASES.decrementAndGet(this);
    usage.noteIdle();
  }

  /** For those who hold a lease. */
  SequenceGenerator generator() {
    return Objects.requireNonNull(generator);
  }

  /** What it holds, or null if it is retired. */
  @Nullable SequenceGeneratorSnapshot snapshot() {
    BufferedSequenceGenerator current = generator;
    return leases < 0 || current == null ? null : current.snapshot();
  }

  long lastUse() {
    return lastUse;
  }

  /**
   * Whether nobody uses it. One whose predecessor still gives its values back is in use: were it
   * retired, the next of its name would not know of that.
   */
  boolean isIdle() {
    return leases == 0 && isAlone();
  }

  private boolean isAlone() {
    LiveGenerator before = previous;
    if (before != null && before.isGone) {
      previous = null;
      return true;
    }
    return before == null;
  }

  /** Counts the sweeps in a row, this one included, that found no use since the one before. */
  int countIdleSweep(long usesAtLastSweep) {
    idleSweeps = isIdle() && lastUse <= usesAtLastSweep ? idleSweeps + 1 : 0;
    return idleSweeps;
  }

  boolean isRetired() {
    return leases == RETIRED;
  }

  /** Whom this one follows, if that one is not gone. */
  @Nullable LiveGenerator previous() {
    return isAlone() ? null : previous;
  }

  boolean isGone() {
    return isGone;
  }

  /** Retires it if it is idle; whoever is told true has to {@link #end} it. */
  boolean retire() {
    return isAlone() && LEASES.compareAndSet(this, 0, RETIRED);
  }

  /** Whether it is retired, and nobody has had it give its place up. */
  boolean hasPlaceToGiveUp() {
    return isRetired() && !vacated.get();
  }

  /** Gives its place up; true for the first who has it do so once it is retired. */
  boolean vacate() {
    return hasPlaceToGiveUp() && vacated.compareAndSet(false, true);
  }

  /**
   * Disposes the generator, and completes when its values are given back, and those of the one that
   * it follows. Never fails.
   */
  Mono<Void> end() {
    BufferedSequenceGenerator ended = generator;
    if (ended != null && ending.compareAndSet(false, true)) {
      LiveGenerator before = previous();
      ended
          .disposeLater()
          .then(before == null ? Mono.empty() : before.gone())
          .subscribe(nothing -> {}, neverFails -> {}, this::over);
    }
    return gone();
  }

  private void over() {
    if (isRetired()) {
      generator = null;
    }
    isGone = true;
    usage.noteIdle(); // the next of its name was in use as long as this one was not gone
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
