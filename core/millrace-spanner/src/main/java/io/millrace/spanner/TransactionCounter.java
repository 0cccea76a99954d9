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
 * <p>Invariant: every value that was handed out is below the value in the last mutation buffered
 * before the commit. {@link #claim} takes values and schedules the write that covers them in one
 * step. It takes nothing if the transaction refuses the write because it is too late.
 */
final class TransactionCounter {

  /** What a transaction keeps the counter under: equal for all objects of one sequence. */
  record Key(String table, String sequence) {}

  private final SequenceTable table;
  private final String sequence;
  private final AttemptTransaction transaction;

  /** The one read of this attempt, which begins again after a failure. */
  private final Mono<Long> counterRead;

  /**
   * Held for a few instructions. The transaction's own lock is taken inside this one, never
   * outside.
   */
  private final Object lock = new Object();

  /** The next value to hand out; not set before the read. */
  @GuardedBy("lock")
  private long next;

  /** Whether a scheduled write will cover every value handed out so far. */
  @GuardedBy("lock")
  private boolean writeScheduled;

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

  /** Takes the next values. The counter has been read. */
  List<Long> claim(int size) {
    synchronized (lock) {
      SequenceBlock values = new SequenceState(sequence, next).block(size);
      if (!writeScheduled) {
        transaction.beforeCommit(this::write);
        writeScheduled = true;
      }
      next = values.last() + 1;
      return LongStream.rangeClosed(values.first(), values.last()).boxed().toList();
    }
  }

  private void write() {
    long nextValue;
    synchronized (lock) {
      writeScheduled = false;
      nextValue = next;
    }
    transaction.buffer(table.update(sequence, nextValue));
  }
}
