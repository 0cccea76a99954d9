package io.millrace.spanner;

import io.millrace.TransactionalSequence;
import io.millrace.internal.LogSafe;
import io.millrace.internal.StoreArguments;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Waits for the transaction's turn, reads the counter at its first value, then counts in memory,
 * and adds one mutation to the commit.
 */
final class SpannerTransactionalSequence implements TransactionalSequence<SpannerTransaction> {

  private final TransactionCounter.Key key;
  private final SequenceTable table;
  private final SequenceFailures failures;
  private final CounterQueues queues;

  SpannerTransactionalSequence(
      SequenceTable table, SequenceFailures failures, CounterQueues queues, String sequence) {
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
  public Mono<List<Long>> next(SpannerTransaction transaction, int count) {
    StoreArguments.checkCount(count);
    AttemptTransaction attempt = (AttemptTransaction) transaction;
    return Mono.defer(() -> attempt.counter(key, () -> counter(attempt)).take(count));
  }

  private TransactionCounter counter(AttemptTransaction attempt) {
    String sequence = key.sequence();
    return new TransactionCounter(table, sequence, attempt, read(attempt, sequence));
  }

  private Mono<Long> read(AttemptTransaction attempt, String sequence) {
    return attempt
        .turn(queues, Set.of(sequence))
        .then(table.readForUpdate(attempt, sequence))
        .switchIfEmpty(failures.noCounter(sequence))
        .onErrorResume(failure -> failures.translate(sequence, failure));
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + LogSafe.name(key.sequence()) + " in " + key.table() + "]";
  }
}
