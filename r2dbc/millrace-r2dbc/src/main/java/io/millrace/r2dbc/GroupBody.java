package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.insert.spi.Numbering;
import io.millrace.r2dbc.InsertStatements.OneStatement;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The rows that the transaction of a group writes: as they were prepared, or numbered in the
 * transaction, in the order of the group.
 *
 * @param numbering null if rows are written as they were prepared
 */
record GroupBody<T>(
    InsertRow.Mapper<T> mapper,
    @Nullable Numbering<T, Connection> numbering,
    long maxCells,
    long maxBytes) {

  /** Sequences of a table of counters that issue values in a transaction of the application. */
  interface TableSequences {

    /**
     * Completes when the dialect is known. From then on, only the caller's connection is needed.
     */
    Mono<SequenceTable> ready();

    /** What is expected of a counter; nothing if more than an update is needed to move it. */
    ExpectedValue expected(String sequence);
  }

  /**
   * A counter that a statement moves if it has an expected value.
   *
   * @param value what is told whether it had the value
   * @param before the expected state of the counter
   * @param after the state behind the numbers of the rows
   */
  record Expected(
      SequenceTable table, ExpectedValue value, SequenceState before, SequenceState after) {}

  /** A row with numbers gets its columns in the transaction. */
  PreparedInsert<T> prepare(T row) {
    return numbering == null ? mapper.map(row) : PreparedInsert.withoutColumns(row);
  }

  private PreparedInsert<T> prepare(T row, List<Long> numbers) {
    return mapper.map(row).withNumbers(numbers);
  }

  /**
   * Completes when the group needs no connection besides its own. Subscribed to before the group
   * has a connection.
   */
  Mono<?> ready() {
    TableSequences sequences = tableSequences();
    return sequences == null ? Mono.empty() : sequences.ready();
  }

  /** The sequences, if their counters can be moved together with the rows. */
  private @Nullable TableSequences tableSequences() {
    return numbering != null && numbering.sequences() instanceof TableSequences known
        ? known
        : null;
  }

  /** The rows to write. Called once for each attempt, on its connection. */
  Mono<List<PreparedInsert<T>>> rows(Connection connection, List<PreparedInsert<T>> group) {
    return numbering == null
        ? Mono.just(group)
        : numbering.number(numbering.in(connection), group, this::prepare, maxCells, maxBytes);
  }

  /**
   * The statement that writes the rows, with the numbers that they are expected to have; empty if
   * it takes several, or if the numbers are not known or cannot be used. Errors: those of the rows,
   * perhaps because of the expected numbers.
   */
  Mono<OneStatement<T>> oneStatement(InsertStatements statements, List<PreparedInsert<T>> group) {
    Numbering<T, Connection> numbers = numbering;
    TableSequences sequences = tableSequences();
    if (numbers == null) {
      return Mono.fromSupplier(() -> statements.one(group, null));
    }
    return sequences == null || !statements.movesAndInserts()
        ? Mono.empty()
        : sequences
            .ready()
            .flatMap(
                table -> {
                  AtomicReference<@Nullable Expected> counter = new AtomicReference<>();
                  return numbers
                      .number(
                          counts ->
                              Mono.justOrEmpty(expected(table, sequences, counts, group.size()))
                                  .doOnNext(counter::set)
                                  .map(GroupBody::numbers),
                          group,
                          this::prepare,
                          maxCells,
                          maxBytes)
                      .mapNotNull(rows -> statements.one(rows, counter.get()));
                });
  }

  /** The expected counter; null if there is none, or if each row does not take one number of it. */
  private static @Nullable Expected expected(
      SequenceTable table, TableSequences sequences, Map<String, Integer> counts, int rows) {
    String name = counts.keySet().iterator().next();
    if (!counts.equals(Map.of(name, rows))) {
      return null;
    }
    ExpectedValue value = sequences.expected(name);
    SequenceState before = value.get();
    return before == null || before.nextValue() > SequenceState.largestNextValue(rows)
        ? null
        : new Expected(table, value, before, before.advance(rows));
  }

  private static Map<String, List<Long>> numbers(Expected counter) {
    SequenceState before = counter.before();
    return Map.of(
        before.name(),
        LongStream.range(before.nextValue(), counter.after().nextValue()).boxed().toList());
  }

  /** The rows as they would be with other numbers than those that they received. */
  List<PreparedInsert<T>> withOtherNumbers(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> numbered) {
    return numbering == null ? numbered : numbering.withNextNumbers(group, numbered, this::prepare);
  }
}
