package io.millrace.engine;

import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.internal.DeadlineTimer;
import io.millrace.internal.SerialDrain;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The generators by name: makes one when it is first used, and asks those that are little used to
 * retire. A generator decides by itself whether it can ({@link NamedGenerator#retire}), and its
 * subscribers come back here for {@linkplain #current its successor}.
 *
 * <p><b>Invariant.</b> The map has at most one generator of a name that has not retired. A retired
 * one stays in the map until its values are released or its successor takes its place, because the
 * first reservation of the successor waits for that.
 *
 * <p><b>Time.</b> {@link #time} is a logical clock for LRU: creations plus sweeps. A use neither
 * reads a clock nor writes to anything that threads share.
 *
 * <p><b>Eviction.</b> If there are more than {@code maxGenerators}, retires the least recently used
 * of the next {@value #SAMPLE} on a walk around the map, but never the newest. If all of some
 * samples are in use, the limit is exceeded for now. A sweep, every quarter of {@code idleAfter},
 * retires those that were not used for so long.
 */
public final class NamedGenerators {

  private static final int SAMPLE = 8;

  /** How many samples one pass of {@link #surplus} takes at most. */
  private static final int SAMPLES = 64;

  /** How many sweeps there are in the time that a generator may be idle. */
  private static final int SWEEPS = 4;

  private final Map<String, NamedGenerator> generators = new ConcurrentHashMap<>();
  private final Function<String, GeneratorConfig> configs;
  private final int maxGenerators;

  /** How many generators have not retired. */
  private final AtomicInteger live = new AtomicInteger();

  private final AtomicLong time = new AtomicLong();

  /** Evicts generators while there are too many. */
  private final SerialDrain surplus =
      new SerialDrain() {
        @Override
        protected void drainOnce() {
          retireSurplus();
        }
      };

  /** The walk around the map. Used by the loop of {@link #surplus} only. */
  private Iterator<NamedGenerator> walk = Collections.emptyIterator();

  /** The time of each of the latest sweeps, the latest last. Used by the sweep. */
  private final Deque<Long> sweeps = new ArrayDeque<>();

  private final DeadlineTimer sweeper;

  private volatile boolean closing;

  /**
   * Creates an object without a generator.
   *
   * @param configs returns the checked options of a name; calls the user's functions that set them
   */
  public NamedGenerators(
      Function<String, GeneratorConfig> configs,
      int maxGenerators,
      Scheduler scheduler,
      Duration idleAfter) {
    this.configs = configs;
    this.maxGenerators = maxGenerators;
    long nanos = idleAfter.isZero() ? DeadlineTimer.NONE : idleAfter.toNanos() / SWEEPS;
    this.sweeper =
        new DeadlineTimer(
            scheduler, () -> live.get() > 0 ? nanos : DeadlineTimer.NONE, this::sweep);
  }

  /** Makes a handle for a name. */
  public SequenceGenerator handle(String name) {
    return new GeneratorHandle(name, this);
  }

  /**
   * Tells whether there is a generator of a name.
   *
   * @return true if it has not retired
   */
  public boolean has(String name) {
    return find(name) != null;
  }

  /** The generator of a name, or null if there is none. */
  @Nullable NamedGenerator find(String name) {
    NamedGenerator found = generators.get(name);
    return found == null || found.isRetired() ? null : found;
  }

  /**
   * The generator of a name; makes it if there is none.
   *
   * @throws SequenceDisposedException if this object is disposed
   * @throws RuntimeException what the functions that set the options throw
   */
  NamedGenerator current(String name) {
    for (; ; ) {
      NamedGenerator found = generators.get(name);
      if (found != null && !found.isRetired()) {
        return found;
      }
      if (closing) {
        throw new SequenceDisposedException(name);
      }
      NamedGenerator made = make(name, found);
      time.incrementAndGet();
      made.noteUse(); // before others can find it, and take it for one that nobody uses
      made.opened();
      if (found == null
          ? generators.putIfAbsent(name, made) == null
          : generators.replace(name, found, made)) {
        added(made);
        return made;
      }
      made.dispose(); // another thread was faster
    }
  }

  private NamedGenerator make(String name, @Nullable NamedGenerator predecessor) {
    Mono<Void> released = predecessor == null ? null : predecessor.whenGone();
    return new NamedGenerator(configs.apply(name), released, this);
  }

  private void added(NamedGenerator made) {
    live.incrementAndGet();
    if (closing) { // since the check: the thread that closes may have missed it
      end(made).subscribe();
    }
    sweeper.ensureSet();
    surplus.drain();
  }

  /** A generator has retired. Called by its drain loop. */
  void retired(NamedGenerator retired) {
    live.decrementAndGet();
    retired.whenGone().doOnSuccess(gone -> remove(retired)).subscribe();
  }

  private void remove(NamedGenerator gone) {
    generators.remove(gone.name(), gone);
  }

  long now() {
    return time.get();
  }

  // Eviction.

  /** Retires generators until there are not too many, or all that were looked at are in use. */
  private void retireSurplus() {
    for (int i = 0; i < SAMPLES && live.get() > maxGenerators; i++) {
      NamedGenerator least = leastRecentlyUsed();
      if (least != null) {
        least.retire();
      }
    }
  }

  /** The least recently used of a sample; null if it has none but the newest. */
  private @Nullable NamedGenerator leastRecentlyUsed() {
    NamedGenerator least = null;
    long leastUse = now();
    for (int i = 0; i < SAMPLE; i++) {
      if (!walk.hasNext()) {
        walk = generators.values().iterator();
      }
      if (walk.hasNext()) {
        NamedGenerator next = walk.next();
        if (next.lastUse() < leastUse && next.isQuiet()) {
          least = next;
          leastUse = next.lastUse();
        }
      }
    }
    return least;
  }

  /** Retires the generators that were not used since {@link #SWEEPS} sweeps ago. */
  private void sweep() {
    if (sweeps.size() == SWEEPS) {
      long longAgo = sweeps.removeFirst();
      for (NamedGenerator each : generators.values()) {
        if (each.lastUse() < longAgo && each.isQuiet()) {
          each.retire();
        }
      }
    }
    sweeps.addLast(time.incrementAndGet());
    surplus.drain();
  }

  // The end.

  /** Retires the generator of a name if it is quiet. Completes when its values are released. */
  Mono<Void> evict(String name) {
    return Mono.defer(
        () -> {
          NamedGenerator evicted = generators.get(name);
          if (evicted == null) {
            return Mono.empty();
          }
          return evicted
              .retire()
              .then(Mono.defer(() -> evicted.isRetired() ? evicted.disposeLater() : Mono.empty()));
        });
  }

  /** Disposes all generators; completes when all values are released. */
  public Mono<Void> close() {
    return Mono.defer(
        () -> {
          closing = true;
          sweeper.dispose();
          return Mono.when(generators.values().stream().map(this::end).toList());
        });
  }

  private Mono<Void> end(NamedGenerator ended) {
    return ended.disposeLater().then(Mono.fromRunnable(() -> remove(ended)));
  }

  public boolean isClosing() {
    return closing;
  }

  // For snapshots and tests.

  public List<SequenceGeneratorSnapshot> snapshots() {
    return generators.values().stream()
        .filter(each -> !each.isRetired())
        .map(NamedGenerator::snapshot)
        .sorted(Comparator.comparing(SequenceGeneratorSnapshot::name))
        .toList();
  }

  /** For tests: how many generators there are, including retired ones that release values. */
  public int held() {
    return generators.size();
  }
}
