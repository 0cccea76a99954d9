package io.millrace.ledger;

import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.ledger.SequenceLedger.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Evaluates the ledger of a store: which process reserved a value, whether two reserved the same,
 * which values were never used.
 *
 * <p>Native sequences have no ledger.
 *
 * <p>Every {@code Mono} and {@code Flux} is cold and reads the ledger again for each subscription.
 * A {@code Flux} reads as its subscriber requests. Results are delivered on a thread of the
 * database's client; cancelling stops the reading. Errors are those of the {@link SequenceLedger}.
 * Reservations made while an audit reads may or may not be seen.
 */
public final class SequenceAudit {

  private static final int ATTEMPTS = 3;

  private final SequenceStore store;
  private final SequenceLedger ledger;

  private SequenceAudit(SequenceStore store, SequenceLedger ledger) {
    this.store = Objects.requireNonNull(store, "store");
    this.ledger = Objects.requireNonNull(ledger, "ledger");
  }

  /**
   * Returns an audit of the sequences of a store.
   *
   * @param store reads the counters
   * @param ledger the ledger of that store
   */
  public static SequenceAudit of(SequenceStore store, SequenceLedger ledger) {
    return new SequenceAudit(store, ledger);
  }

  /** {@return the ledger that this audit reads} */
  public SequenceLedger ledger() {
    return ledger;
  }

  /**
   * Finds the reservation of a value that was not released.
   *
   * @param value any number
   * @return the entry; empty if no process reserved and kept the value, or its entry was removed
   */
  public Mono<Entry> owner(String sequence, long value) {
    return ledger.lastKept(sequence, value).filter(entry -> entry.keeps(value));
  }

  /**
   * Values that were reserved twice and kept, which happens only if a counter was set back, for
   * example by a restore from a backup.
   *
   * @param lower the entry with the smaller first value
   * @param upper the other entry
   * @param first the first value in both
   * @param last the last value in both
   */
  public record Overlap(Entry lower, Entry upper, long first, long last) {}

  /**
   * Finds values that were reserved more than once and not released in between.
   *
   * @return the overlaps, in the order of their first values; empty if there are none. Each such
   *     value is in at least one overlap
   */
  public Flux<Overlap> overlaps(String sequence) {
    return compared(
        sequence,
        (lower, upper) ->
            upper.first() > lower.lastKept()
                ? null
                : new Overlap(
                    lower, upper, upper.first(), Math.min(upper.lastKept(), lower.lastKept())));
  }

  /**
   * Compares each entry with kept values with the one before it that reaches farthest.
   *
   * @param comparison gives what to emit, or null
   */
  private <R> Flux<R> compared(String sequence, BiFunction<Entry, Entry, @Nullable R> comparison) {
    return Flux.defer(
        () -> {
          AtomicReference<@Nullable Entry> farthest = new AtomicReference<>();
          return kept(sequence)
              .handle(
                  (entry, sink) -> {
                    Entry before = farthest.get();
                    if (before == null || entry.lastKept() > before.lastKept()) {
                      farthest.set(entry);
                    }
                    R found = before == null ? null : comparison.apply(before, entry);
                    if (found != null) {
                      sink.next(found);
                    }
                  });
        });
  }

  /**
   * Values between entries for which the ledger has no entry.
   *
   * @param first the first of them
   * @param last the last of them
   * @param lower the entry that ends below them
   * @param upper the entry that begins above them
   */
  public record Unrecorded(long first, long last, Entry lower, Entry upper) {}

  /**
   * Finds values between the first and the last entry that have no entry. The counter was moved
   * past them, they were reserved by a store without this ledger or with a best-effort one, or
   * their entries were removed.
   *
   * @return the runs of values, rising
   */
  public Flux<Unrecorded> unrecorded(String sequence) {
    return compared(
        sequence,
        (lower, upper) ->
            upper.first() <= lower.lastKept() + 1
                ? null
                : new Unrecorded(lower.lastKept() + 1, upper.first() - 1, lower, upper));
  }

  /**
   * Values that a process reserved, kept, and did not use.
   *
   * @param first the first of them
   * @param last the last of them
   * @param entry the reservation
   */
  public record Gap(long first, long last, Entry entry) {

    /** {@return the number of values, 1 or more} */
    public long size() {
      return last - first + 1;
    }
  }

  /**
   * Compares the ledger with the values in use, and finds the gaps and the process that left each.
   * Values in the buffer of a running process look like gaps: ignore the gaps of running processes,
   * or audit while none is running.
   *
   * @param used the values in use in ascending order, for example {@code SELECT id FROM orders
   *     ORDER BY id}; requested 256 at a time. Values that are not in the ledger are ignored
   * @return the gaps, rising. Error: {@link IllegalArgumentException} if {@code used} is not in
   *     ascending order
   */
  public Flux<Gap> gaps(String sequence, Publisher<Long> used) {
    return Flux.defer(() -> GapSearch.of(kept(sequence), used));
  }

  /**
   * What one process reserved of a sequence.
   *
   * @param holder the process
   * @param reservations the number of reservations, 1 or more
   * @param values the number of values kept
   * @param released the number of values released
   * @param firstAt the time of the first reservation
   * @param lastAt the time of the last reservation
   */
  public record Use(
      Holder holder,
      long reservations,
      long values,
      long released,
      Instant firstAt,
      Instant lastAt) {

    private static Use of(Entry entry) {
      return new Use(
          entry.holder(),
          1,
          entry.kept(),
          entry.released(),
          entry.reservedAt(),
          entry.reservedAt());
    }

    private Use and(Use other) {
      return new Use(
          holder,
          reservations + other.reservations,
          values + other.values,
          released + other.released,
          firstAt.isBefore(other.firstAt) ? firstAt : other.firstAt,
          lastAt.isAfter(other.lastAt) ? lastAt : other.lastAt);
    }

    /**
     * {@return the rate at which the process reserved values, per second, from the first
     * reservation to the last; 0 if both have the same time}
     */
    public double valuesPerSecond() {
      double seconds = Duration.between(firstAt, lastAt).toNanos() / 1e9;
      return seconds > 0 ? values / seconds : 0;
    }
  }

  /**
   * Sums up what each process reserved. Reads the whole ledger of the sequence, and keeps one sum
   * for each process in memory.
   *
   * @return the sums, in the order of the processes' first entries
   */
  public Flux<Use> uses(String sequence) {
    return Flux.defer(
        () -> {
          Map<Holder, Use> uses = new LinkedHashMap<>();
          return ledger
              .entries(sequence)
              .doOnNext(entry -> uses.merge(entry.holder(), Use.of(entry), Use::and))
              .thenMany(Flux.defer(() -> Flux.fromIterable(uses.values())));
        });
  }

  /**
   * A counter, and the value that the ledger implies.
   *
   * @param counter the counter
   * @param expected the last kept value in the ledger, plus 1; null without entries
   */
  public record CounterCheck(SequenceState counter, @Nullable Long expected) {

    /**
     * {@return whether the next reservation begins right after the last entry, or there are no
     * entries}
     */
    public boolean agrees() {
      return expected == null || expected == counter.nextValue();
    }

    /**
     * {@return whether the counter is below the end of the ledger, because it was set back: values
     * in use will be reserved again}
     */
    public boolean isBehind() {
      return expected != null && counter.nextValue() < expected;
    }
  }

  /**
   * Compares a sequence's counter with the end of the ledger. The counter is ahead if it was moved
   * forward, or if the last reservations have no entry. If the two differ, they are read again, up
   * to three times in total, because a reservation may occur between the two reads.
   *
   * @return both. Error: {@link io.millrace.SequenceNotFoundException} if there is no counter
   */
  public Mono<CounterCheck> counter(String sequence) {
    return store
        .state(sequence)
        .flatMap(
            state ->
                ledger
                    .lastKept(sequence, Long.MAX_VALUE)
                    .map(entry -> new CounterCheck(state, entry.lastKept() + 1))
                    .defaultIfEmpty(new CounterCheck(state, null)))
        .repeat(ATTEMPTS - 1)
        .takeUntil(CounterCheck::agrees)
        .last();
  }

  private Flux<Entry> kept(String sequence) {
    return ledger.entries(sequence).filter(entry -> entry.kept() > 0);
  }
}
