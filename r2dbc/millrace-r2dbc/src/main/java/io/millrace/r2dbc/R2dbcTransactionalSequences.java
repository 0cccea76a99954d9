package io.millrace.r2dbc;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import io.millrace.r2dbc.GroupBody.TableSequences;
import io.r2dbc.spi.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes values of several names, whose counters are locked in the order of the names: all that
 * exist, and then one after the other those that are created. If calls may overlap, statements are
 * sent before the earlier ones are answered.
 *
 * @param start the first value of a sequence that is created; null if a missing one is an error
 * @param last the sequence that a call of one name used last, whose next value may be expected
 */
record R2dbcTransactionalSequences(
    Mono<SequenceTable> tables,
    SequenceNames names,
    @Nullable Long start,
    AtomicReference<@Nullable R2dbcTransactionalSequence> last)
    implements TransactionalSequences<Connection>, TableSequences {

  /** How many statements of a call a driver may queue. */
  private static final int MOST_AT_ONCE = 100;

  R2dbcTransactionalSequences(
      Mono<SequenceTable> tables, SequenceNames names, @Nullable Long start) {
    this(tables, names, start, new AtomicReference<>());
  }

  @Override
  public TransactionalSequences<Connection> createMissing(long startValue) {
    SequenceState.starting("any", startValue);
    return new R2dbcTransactionalSequences(tables, names, startValue);
  }

  @Override
  public Mono<SequenceTable> ready() {
    return tables;
  }

  @Override
  public ExpectedValue expected(String sequence) {
    return single(sequence).expected(sequence);
  }

  private R2dbcTransactionalSequence single(String sequence) {
    return Objects.requireNonNull(
        last.updateAndGet(
            used ->
                used != null && used.name().equals(sequence)
                    ? used
                    : new R2dbcTransactionalSequence(tables, sequence, start)));
  }

  @Override
  public Mono<Map<String, List<Long>>> next(Connection connection, Map<String, Integer> counts) {
    SortedMap<String, Integer> asked = StoreArguments.checkCounts(counts);
    return Mono.defer(
        () -> {
          StoreArguments.checkNames(asked, names::checkSequence);
          return tables.flatMap(
              table -> new Call(connection, asked).take(table.mayOverlap() ? MOST_AT_ONCE : 1));
        });
  }

  /** Values of some names, for one subscriber. */
  private final class Call {

    private final Connection connection;
    private final SortedMap<String, Integer> asked;
    private final Map<String, List<Long>> taken = new ConcurrentHashMap<>();
    private final Map<String, RuntimeException> refused;

    Call(Connection connection, SortedMap<String, Integer> asked) {
      this.connection = connection;
      this.asked = asked;
      this.refused = new ConcurrentSkipListMap<>(asked.comparator());
    }

    Mono<Map<String, List<Long>>> take(int atOnce) {
      if (asked.size() == 1) {
        return take(single(asked.firstKey())).then(Mono.fromSupplier(this::values));
      }
      return take(asked.keySet(), null, atOnce)
          .then(Mono.defer(() -> start == null ? Mono.empty() : take(missing(), start, 1)))
          .then(Mono.fromSupplier(this::values));
    }

    private Mono<Void> take(Collection<String> sequences, @Nullable Long create, int atOnce) {
      return Flux.fromIterable(sequences)
          .flatMapSequential(
              name -> take(new R2dbcTransactionalSequence(tables, name, create)), atOnce)
          .then();
    }

    /** Goes on without a sequence that has no values, so that one call finds all of them. */
    private Mono<List<Long>> take(R2dbcTransactionalSequence sequence) {
      String name = sequence.name();
      return sequence
          .next(connection, asked.getOrDefault(name, 0))
          .doOnNext(values -> taken.put(name, values))
          .onErrorResume(
              failure ->
                  R2dbcTransactionalSequence.isWithoutRow(failure)
                      || failure instanceof SequenceExhaustedException,
              failure -> {
                refused.put(name, (RuntimeException) failure);
                return Mono.empty();
              });
    }

    private List<String> missing() {
      List<String> missing =
          refused.entrySet().stream()
              .filter(each -> R2dbcTransactionalSequence.isWithoutRow(each.getValue()))
              .map(Map.Entry::getKey)
              .toList();
      refused.keySet().removeAll(missing);
      return missing;
    }

    private Map<String, List<Long>> values() {
      if (!refused.isEmpty()) {
        throw new SequencesRefusedException(refused, asked.size());
      }
      return taken;
    }
  }

  @Override
  public String toString() {
    return "TransactionalSequences[" + names.table() + "]";
  }
}
