package io.millrace.spanner;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Waits for the transaction's turn at all counters, reads those that the transaction has not read,
 * then counts in memory, and adds a mutation for each counter to the commit.
 *
 * @param start the first value of a sequence that is created; null if a missing one is an error
 */
record SpannerTransactionalSequences(
    SequenceTable table, SequenceFailures failures, CounterQueues queues, @Nullable Long start)
    implements TransactionalSequences<SpannerTransaction> {

  @Override
  public TransactionalSequences<SpannerTransaction> createMissing(long startValue) {
    SequenceState.starting("any", startValue);
    return new SpannerTransactionalSequences(table, failures, queues, startValue);
  }

  @Override
  public Mono<Map<String, List<Long>>> next(
      SpannerTransaction transaction, Map<String, Integer> counts) {
    Map<String, Integer> asked = StoreArguments.checkCounts(counts);
    return Mono.defer(() -> take((AttemptTransaction) transaction, asked));
  }

  private Mono<Map<String, List<Long>>> take(
      AttemptTransaction transaction, Map<String, Integer> counts) {
    StoreArguments.checkNames(counts, table::checkSequence);
    List<String> fresh = new ArrayList<>();
    Mono<Map<String, Long>> page =
        TransactionCounter.shared(Mono.defer(() -> read(transaction, List.copyOf(fresh))));
    Map<String, TransactionCounter> counters = new LinkedHashMap<>();
    counts
        .keySet()
        .forEach(
            name ->
                counters.put(
                    name,
                    transaction.counter(
                        new TransactionCounter.Key(table.name(), name),
                        () -> {
                          fresh.add(name);
                          return new TransactionCounter(
                              table, name, transaction, valueIn(page, transaction, name));
                        })));
    return (fresh.isEmpty() ? Mono.empty() : page)
        .then(refusals(counters, counts))
        .map(
            refused -> {
              if (!refused.isEmpty()) {
                throw new SequencesRefusedException(refused, counts.size());
              }
              Map<String, List<Long>> values = new LinkedHashMap<>();
              counters.forEach(
                  (name, counter) -> values.put(name, counter.claim(counts.getOrDefault(name, 0))));
              return values;
            });
  }

  private Mono<Map<String, Long>> read(AttemptTransaction transaction, List<String> names) {
    return transaction
        .turn(queues, names)
        .then(table.readForUpdate(transaction, names))
        .onErrorResume(failure -> failures.translate(names.get(0), failure));
  }

  private Mono<Long> valueIn(
      Mono<Map<String, Long>> page, SpannerTransaction transaction, String name) {
    return page.mapNotNull(values -> values.get(name))
        .switchIfEmpty(
            start == null
                ? failures.noCounter(name)
                : Mono.fromCallable(
                    () -> {
                      transaction.buffer(table.insert(name, start));
                      return start;
                    }));
  }

  /** Why sequences cannot give their values. */
  private Mono<Map<String, RuntimeException>> refusals(
      Map<String, TransactionCounter> counters, Map<String, Integer> counts) {
    Map<String, RuntimeException> refused = new LinkedHashMap<>();
    return Flux.fromIterable(counters.entrySet())
        .concatMap(
            counter ->
                counter
                    .getValue()
                    .read()
                    .doOnNext(
                        read -> counter.getValue().check(counts.getOrDefault(counter.getKey(), 0)))
                    .onErrorResume(
                        failure ->
                            failure instanceof SequenceNotFoundException
                                || failure instanceof SequenceExhaustedException,
                        failure -> {
                          refused.put(counter.getKey(), (RuntimeException) failure);
                          return Mono.empty();
                        }))
        .then(Mono.just(refused));
  }

  @Override
  public String toString() {
    return "TransactionalSequences[" + table.name() + "]";
  }
}
