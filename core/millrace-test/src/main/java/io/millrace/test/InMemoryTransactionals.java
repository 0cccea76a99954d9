package io.millrace.test;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Takes the values at once, whatever becomes of the transaction.
 *
 * @param start the first value of a sequence that is created; null if a missing one is an error
 */
record InMemoryTransactionals<C>(InMemorySequenceStore store, @Nullable Long start)
    implements TransactionalSequences<C> {

  @Override
  public Mono<Map<String, List<Long>>> next(C transaction, Map<String, Integer> counts) {
    Objects.requireNonNull(transaction, "transaction");
    Map<String, Integer> asked = StoreArguments.checkCounts(counts);
    return store.reserving(
        () -> {
          requireValues(asked);
          Map<String, List<Long>> values = new LinkedHashMap<>();
          asked.forEach(
              (name, count) -> {
                SequenceBlock block = store.take(new ReservationRequest(name, count, start));
                values.put(name, InMemoryTransactional.values(block));
              });
          return values;
        });
  }

  /** Throws before a value is taken. */
  private void requireValues(Map<String, Integer> counts) {
    Map<String, SequenceException> refused = new LinkedHashMap<>();
    counts.forEach(
        (name, count) -> {
          try {
            new SequenceState(name, nextOf(name)).block(count);
          } catch (SequenceException failure) {
            refused.put(name, failure);
          }
        });
    if (!refused.isEmpty()) {
      throw new SequencesRefusedException(refused, counts.size());
    }
  }

  private long nextOf(String name) {
    try {
      return store.counter(name).get();
    } catch (SequenceNotFoundException missing) {
      if (start == null) {
        throw missing;
      }
      return start;
    }
  }

  @Override
  public TransactionalSequences<C> createMissing(long startValue) {
    SequenceState.starting("any", startValue);
    return new InMemoryTransactionals<>(store, startValue);
  }
}
