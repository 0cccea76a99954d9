package io.millrace.spanner;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * Gives values of a sequence inside a transaction of the application: unique, in the order of the
 * commits, and without gaps, since values are taken if and only if the transaction commits. It is
 * the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence generation
 * in Spanner".
 *
 * <p>The price is that the transactions that use a sequence run one after the other, each holding
 * its row from the first value to the commit: keep them short, and take the first value late. Where
 * gaps do no harm, use a {@code SequenceGenerator}.
 *
 * <p>Created once, with {@link SpannerSequenceStore#transactional}, and used by any number of
 * transactions at once. Within a transaction it reads the row at the first value, counts from then
 * on, and adds one mutation to the commit. Two values taken in one transaction always differ, also
 * through two objects of the same sequence, as long as their stores spell the table alike. Before
 * its commit, a value may show up in several attempts, of which one commits: let a value leave the
 * transaction only as its result.
 */
public final class TransactionalSequence {

  /** Under what a transaction keeps the counter: the same for every object of a sequence. */
  private record CounterKey(String table, String sequence) {}

  private final CounterKey key;
  private final SequenceTable table;
  private final SequenceFailures failures;

  TransactionalSequence(SequenceTable table, SequenceFailures failures, String sequence) {
    this.key = new CounterKey(table.name(), table.checkSequence(sequence));
    this.table = table;
    this.failures = failures;
  }

  /**
   * Returns the name of the sequence.
   *
   * @return the name given to {@link SpannerSequenceStore#transactional}
   */
  public String sequence() {
    return key.sequence();
  }

  /**
   * Takes one value. Each subscription takes one, when the row has been read; a subscription that
   * was cancelled before that takes none.
   *
   * @param transaction the transaction that uses the value
   * @return the value, on the subscribing thread or a thread of the Spanner client. Errors: {@link
   *     SequenceNotFoundException} if the sequence has no row, {@link SequenceExhaustedException}
   *     at the end of its range, {@link IllegalStateException} if the transaction is over, or what
   *     Spanner reports of the read
   */
  public Mono<Long> next(SpannerTransaction transaction) {
    return take(transaction, 1, first -> first);
  }

  /**
   * Takes consecutive values.
   *
   * @param transaction the transaction that uses the values
   * @param count how many, 1 or more
   * @return the values, rising by 1; errors as for {@link #next(SpannerTransaction)}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<Long>> next(SpannerTransaction transaction, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return take(
        transaction, count, first -> LongStream.range(first, first + count).boxed().toList());
  }

  private <V> Mono<V> take(SpannerTransaction transaction, int count, LongFunction<V> values) {
    return Mono.defer(
        () -> transaction.attribute(key, () -> counter(transaction)).take(count, values));
  }

  private TransactionCounter counter(SpannerTransaction transaction) {
    return new TransactionCounter(table, key.sequence(), transaction, row(transaction));
  }

  private Mono<Long> row(SpannerTransaction transaction) {
    String sequence = key.sequence();
    return table
        .readForUpdate(transaction, sequence)
        .switchIfEmpty(failures.noRow(sequence))
        .onErrorResume(failure -> failures.translate(sequence, failure));
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + key.sequence() + " in " + key.table() + "]";
  }
}
