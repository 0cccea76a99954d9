package io.millrace.spanner;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A sequence's counter within one attempt at a transaction: the row is read once, values are
 * counted in memory, and the final value is buffered once, just before the commit.
 *
 * <p>Invariant: a value that was given is below the value in the last mutation buffered before the
 * commit. {@link #take} moves {@link #next} first and looks at {@link #scheduled} then; {@link
 * #write} clears {@code scheduled} first and reads {@code next} then. So either the write sees the
 * value, or the taker sees that it has to schedule another write, which the transaction refuses
 * once it is too late, and then the value is not given.
 */
final class TransactionCounter {

  private final SequenceTable table;
  private final String sequence;
  private final SpannerTransaction transaction;
  private final Mono<Long> row;

  /** The read that is running or has succeeded; null before it and after a failure. */
  private final AtomicReference<@Nullable Mono<Long>> read = new AtomicReference<>();

  /** The next value to give; meaningless before the read. Moved by takers only. */
  private final AtomicLong next = new AtomicLong();

  /** Whether a write is to come that will see every value given so far. */
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /**
   * @param row reads the row's next value, or fails
   */
  TransactionCounter(
      SequenceTable table, String sequence, SpannerTransaction transaction, Mono<Long> row) {
    this.table = table;
    this.sequence = sequence;
    this.transaction = transaction;
    this.row = row;
  }

  /** Takes {@code size} consecutive values when subscribed to, and gives the first to a mapper. */
  <V> Mono<V> take(int size, LongFunction<V> values) {
    return Mono.defer(this::shared).map(ignored -> values.apply(take(size)));
  }

  /** The one read of this attempt, which a subscriber that leaves does not cancel. */
  private Mono<Long> shared() {
    Mono<Long> running = read.get();
    if (running != null) {
      return running;
    }
    AtomicReference<@Nullable Mono<Long>> self = new AtomicReference<>();
    Mono<Long> fresh =
        row.doOnNext(next::set).doOnError(failed -> read.compareAndSet(self.get(), null)).cache();
    self.set(fresh);
    Mono<Long> other = read.compareAndExchange(null, fresh);
    return other == null ? fresh : other;
  }

  private long take(int size) {
    long first;
    do {
      first = next.get();
    } while (!next.compareAndSet(first, SequenceTable.advance(sequence, first, size)));
    if (scheduled.compareAndSet(false, true)) {
      transaction.beforeCommit(() -> Mono.fromRunnable(this::write));
    }
    return first;
  }

  private void write() {
    scheduled.set(false);
    transaction.buffer(table.update(sequence, next.get()));
  }
}
