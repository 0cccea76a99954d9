package io.millrace.ledger;

import io.millrace.SequenceState;
import io.millrace.SequenceStore;
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
 * Answers questions from the ledger of a store: which process reserved a value, whether two
 * reserved the same, which values were never used.
 *
 * <p>A sequence that is striped has a row for each stripe, named {@code orders#0}, {@code orders#1}
 * and so on. The ledger has the entries of these rows, in the numbers of the row: ask for each of
 * them. Native sequences have no ledger.
 *
 * <p>Every {@code Mono} and {@code Flux} is cold and reads the ledger anew. A {@code Flux} reads on
 * as its subscriber requests. Results come on a thread of the database's client; a cancel ends the
 * reading. Errors are those of the {@link SequenceLedger}. Reservations that are made while an
 * audit reads may or may not be seen.
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
   * Audits the sequences of a store.
   *
   * @param store reads the counters
   * @param ledger the ledger of that store
   * @return the audit
   */
  public static SequenceAudit of(SequenceStore store, SequenceLedger ledger) {
    return new SequenceAudit(store, ledger);
  }

  /**
   * Returns the ledger that this audit reads.
   *
   * @return the ledger
   */
  public SequenceLedger ledger() {
    return ledger;
  }

  /**
   * Finds out which process reserved a value, and kept it.
   *
   * @param sequence the name of the sequence
   * @param value any number
   * @return the entry; empty if no process reserved the value, or its entry was removed
   */
  public Mono<LedgerEntry> owner(String sequence, long value) {
    return ledger.lastKept(sequence, value).filter(entry -> entry.keeps(value));
  }

  /**
   * Values that two processes reserved and kept. There are none, unless a counter was set back, for
   * example by a restore from a backup.
   *
   * @param lower the entry that begins first, in the order of values
   * @param upper the other entry
   * @param first the first value that both have
   * @param last the last value that both have
   */
  public record Overlap(LedgerEntry lower, LedgerEntry upper, long first, long last) {}

  /**
   * Finds values that were reserved more than once and not given back in between.
   *
   * @param sequence the name of the sequence
   * @return the overlaps, in the order of their first values; empty if each value was reserved
   *     once. Each such value is in at least one overlap
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
  private <R> Flux<R> compared(
      String sequence, BiFunction<LedgerEntry, LedgerEntry, @Nullable R> comparison) {
    return Flux.defer(
        () -> {
          AtomicReference<@Nullable LedgerEntry> farthest = new AtomicReference<>();
          return kept(sequence)
              .handle(
                  (entry, sink) -> {
                    LedgerEntry before = farthest.get();
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
  public record Unrecorded(long first, long last, LedgerEntry lower, LedgerEntry upper) {}

  /**
   * Finds values between the first and the last entry that have no entry. The counter was moved
   * forward over them, or they were reserved by a store without this ledger, or by one whose ledger
   * is best effort, or their entries were removed.
   *
   * @param sequence the name of the sequence
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
  public record Gap(long first, long last, LedgerEntry entry) {

    /**
     * Returns how many values there are.
     *
     * @return 1 or more
     */
    public long size() {
      return last - first + 1;
    }
  }

  /**
   * Compares the ledger with the values that are in use, and finds the gaps with the process that
   * made each. Values that a running process still has in its buffer look the same, so leave out
   * entries of running processes, or audit when none runs.
   *
   * @param sequence the name of the sequence
   * @param used the values in use, for example {@code SELECT id FROM orders ORDER BY id}. They must
   *     not fall. Those that are not in the ledger are ignored. It is requested in portions of 256
   * @return the gaps, rising. Error: {@link IllegalArgumentException} if {@code used} falls
   */
  public Flux<Gap> gaps(String sequence, Publisher<Long> used) {
    return Flux.defer(() -> GapSearch.of(kept(sequence), used));
  }

  /**
   * What one process reserved of a sequence.
   *
   * @param holder the process
   * @param reservations how many reservations, 1 or more
   * @param values how many values they had, without those given back
   * @param released how many values were given back
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

    private static Use of(LedgerEntry entry) {
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
     * Returns the rate at which the process reserved values.
     *
     * @return values a second from the first reservation to the last; 0 if these have the same time
     */
    public double valuesPerSecond() {
      double seconds = Duration.between(firstAt, lastAt).toNanos() / 1e9;
      return seconds > 0 ? values / seconds : 0;
    }
  }

  /**
   * Adds up what each process reserved. Reads the whole ledger of the sequence, and holds one sum
   * for each process.
   *
   * @param sequence the name of the sequence
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
   * The counter beside the ledger.
   *
   * @param counter where the counter stands
   * @param expected one more than the last value that the ledger has as kept; null without entries
   */
  public record CounterCheck(SequenceState counter, @Nullable Long expected) {

    /**
     * Tells whether counter and ledger agree.
     *
     * @return true if the next reservation begins behind the last entry, or if there are no entries
     */
    public boolean agrees() {
      return expected == null || expected == counter.nextValue();
    }

    /**
     * Tells whether the counter stands below the end of the ledger, so that values in use will be
     * reserved again.
     *
     * @return true if the counter was set back
     */
    public boolean isBehind() {
      return expected != null && counter.nextValue() < expected;
    }
  }

  /**
   * Compares a sequence's counter with the end of the ledger. The counter is ahead if it was moved
   * forward, or if the last reservations have no entry. Compares again, up to three times, if they
   * differ, because a reservation may come between the two reads.
   *
   * @param sequence the name of the sequence
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

  private Flux<LedgerEntry> kept(String sequence) {
    return ledger.entries(sequence).filter(entry -> entry.kept() > 0);
  }
}
