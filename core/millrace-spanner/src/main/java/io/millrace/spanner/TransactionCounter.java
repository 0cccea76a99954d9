package io.millrace.spanner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * A sequence's counter within one attempt at a transaction. The counter is read once, values are
 * counted in memory, and the final value is buffered once, just before the commit.
 *
 * <p><b>Invariant.</b> Every value that was handed out is below the value that {@link #write}
 * buffers, because {@link #claim} takes nothing after it. Spanner's buffer is append-only, so a
 * counter buffers its last value only.
 */
final class TransactionCounter {

  /** What a transaction keeps the counter under: equal for all objects of one sequence. */
  record Key(String table, String sequence) {}

  private final SequenceTable table;
  private final String sequence;
  private final AttemptTransaction transaction;

  /** The one read of this attempt, which begins again after a failure. */
  private final Mono<Long> counterRead;

  /** Held for a few instructions. */
  private final Object lock = new Object();

  /** The next value to hand out; not set before the read. */
  @GuardedBy("lock")
  private long next;

  /** Whether a value was handed out. */
  @GuardedBy("lock")
  private boolean used;

  /** Set when the last value is written. */
  @GuardedBy("lock")
  private boolean written;

  /**
   * @param counterRead reads the counter's next value, or fails
   */
  TransactionCounter(
      SequenceTable table,
      String sequence,
      AttemptTransaction transaction,
      Mono<Long> counterRead) {
    this.table = table;
    this.sequence = sequence;
    this.transaction = transaction;
    this.counterRead = shared(counterRead.doOnNext(this::startAt));
  }

  /** Takes the next {@code size} values at subscription. */
  Mono<List<Long>> take(int size) {
    return read().map(ignored -> claim(size));
  }

  /** Reads the counter unless that is done; emits what it was at the beginning. */
  Mono<Long> read() {
    return counterRead;
  }

  /**
   * A read for several subscribers, of which the first starts it. One that cancels does not cancel
   * it. Its result is kept, but a failure is not: the next subscriber reads again.
   */
  static <V> Mono<V> shared(Mono<V> read) {
    return read.cache(
        result -> Duration.ofMillis(Long.MAX_VALUE), // without a timer
        failure -> Duration.ZERO,
        () -> Duration.ZERO);
  }

  private void startAt(long first) {
    synchronized (lock) {
      next = first;
    }
  }

  /** Throws what {@link #claim} would throw because too few values are left. */
  void check(int size) {
    synchronized (lock) {
      new SequenceState(sequence, next).block(size);
    }
  }

  static IllegalStateException tooLate() {
    return new IllegalStateException("the transaction is about to commit: too late for a value");
  }

  /**
   * Takes the next values. The counter has been read.
   *
   * @throws IllegalStateException if the last value was written
   */
  List<Long> claim(int size) {
    synchronized (lock) {
      if (written) {
        throw tooLate();
      }
      SequenceBlock values = new SequenceState(sequence, next).block(size);
      used = true;
      next = values.last() + 1;
      return LongStream.rangeClosed(values.first(), values.last()).boxed().toList();
    }
  }

  /** Buffers the mutation that covers all values that were handed out. */
  void write() {
    synchronized (lock) {
      written = true;
      if (used) {
        transaction.buffer(table.update(sequence, next));
      }
    }
  }
}
