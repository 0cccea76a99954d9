package io.millrace.striped;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a striped store keeps in memory about each sequence in use. It forgets a sequence when a
 * generator gives values back, which is the last request of a generator, or after {@link #KEPT}
 * without a request.
 *
 * <p>Each request checks the age of two known sequences, in turn. So all are checked again and
 * again, and no request does much work.
 */
final class KnownStripes {

  /** The time without a request after which a sequence may be forgotten, in nanoseconds. */
  static final long KEPT = TimeUnit.HOURS.toNanos(1);

  /** How many sequences one request checks. */
  private static final int CHECKS = 2;

  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /** The sequences in the map, and some that were forgotten. */
  private final Queue<Known> inTurn = new ConcurrentLinkedQueue<>();

  private final LongSupplier clock;

  /** A store's memory, with a clock in nanoseconds. */
  KnownStripes(LongSupplier clock) {
    this.clock = clock;
  }

  /** A sequence, its rows, and how much their reservations cost in this process. */
  static final class Known {

    private final String sequence;
    private final StripedRows rows;
    private final StripeChooser chooser;

    /** When it was last requested. A race between two requests does no harm. */
    private volatile long usedAt;

    Known(String sequence, StripedRows rows, StripeChooser chooser) {
      this.sequence = sequence;
      this.rows = rows;
      this.chooser = chooser;
    }

    StripedRows rows() {
      return rows;
    }

    StripeChooser chooser() {
      return chooser;
    }
  }

  /** What is known about a sequence, or null. */
  @Nullable Known find(String sequence) {
    forgetUnused();
    Known found = known.get(sequence);
    if (found != null) {
      found.usedAt = clock.getAsLong();
    }
    return found;
  }

  /** What is known about a sequence now; another request may have learnt it first. */
  Known learn(String sequence, Supplier<Known> maker) {
    Known learnt = maker.get();
    learnt.usedAt = clock.getAsLong();
    Known before = known.putIfAbsent(sequence, learnt);
    if (before != null) {
      return before;
    }
    inTurn.add(learnt); // after the map: a check drops a sequence that is not in the map
    return learnt;
  }

  void forget(Known unused) {
    known.remove(unused.sequence, unused);
  }

  private void forgetUnused() {
    long now = clock.getAsLong();
    for (int check = 0; check < CHECKS; check++) {
      Known next = inTurn.poll();
      if (next == null) {
        return;
      }
      if (now - next.usedAt > KEPT) {
        forget(next);
      }
      if (known.get(next.sequence) == next) {
        inTurn.add(next);
      }
    }
  }

  /**
   * For tests: how many sequences are in memory, including forgotten ones that are still in turn.
   */
  int size() {
    return Math.max(known.size(), inTurn.size());
  }
}
