package io.millrace.spanner;

import io.millrace.SkippedValues;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import io.millrace.internal.StoreArguments;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/**
 * Waits for the transaction's turn, reads the counter at its first value, then counts in memory,
 * and adds one mutation to the commit.
 */
final class SpannerTransactionalSequence
    implements TransactionalSequence<SpannerTransaction>, CountedCells {

  private final TransactionCounter.Key key;
  private final SequenceTable table;
  private final SequenceFailures failures;
  private final SkippedValues skipped;
  private final CounterQueues queues;

  SpannerTransactionalSequence(
      SequenceTable table,
      SequenceFailures failures,
      CounterQueues queues,
      String sequence,
      SkippedValues skipped) {
    this.skipped = skipped;
    this.key = new TransactionCounter.Key(table.name(), table.checkSequence(sequence));
    this.table = table;
    this.failures = failures;
    this.queues = queues;
  }

  @Override
  public String name() {
    return key.sequence();
  }

  @Override
  public int cells() {
    return SequenceTable.CELLS_OF_UPDATE;
  }

  @Override
  public Mono<List<Long>> next(SpannerTransaction transaction, int count) {
    StoreArguments.checkCount(count);
    return Mono.defer(
        () -> transaction.attribute(key, () -> counter(transaction)).take(count, skipped));
  }

  @Override
  public <T> Mono<Mono<T>> atCommit(
      SpannerTransaction transaction, LongFunction<? extends Mono<T>> use) {
    Objects.requireNonNull(use, "use");
    if (!(transaction instanceof AttemptTransaction attempt)) {
      return TransactionalSequence.super.atCommit(transaction, use);
    }
    String counter = key.table() + ' ' + key.sequence();
    return Mono.defer(
        () -> attempt.hooks().number(counter, this, count -> next(transaction, count), use));
  }

  private TransactionCounter counter(SpannerTransaction transaction) {
    return new TransactionCounter(table, key.sequence(), transaction, readCounter(transaction));
  }

  private Mono<Long> readCounter(SpannerTransaction transaction) {
    return transaction instanceof AttemptTransaction attempt
        ? attempt.turn(queues, Set.of(key.sequence())).then(read(transaction))
        : read(transaction);
  }

  private Mono<Long> read(SpannerTransaction transaction) {
    String sequence = key.sequence();
    return table
        .readForUpdate(transaction, sequence)
        .switchIfEmpty(failures.noCounter(sequence))
        .onErrorResume(failure -> failures.translate(sequence, failure));
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + ShownText.name(key.sequence()) + " in " + key.table() + "]";
  }
}
