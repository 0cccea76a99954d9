package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.insert.spi.Numbering;
import io.millrace.r2dbc.InsertStatements.OneStatement;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/** The rows that the transaction of a group writes. */
interface GroupBody<T> {

  /** The rows to write. Called once for each attempt, on its connection. */
  Mono<List<PreparedInsert<T>>> rows(Connection connection, List<PreparedInsert<T>> group);

  /**
   * A counter that a statement moves if it has an expected value.
   *
   * @param value what is told whether it had the value
   * @param before the expected state of the counter
   * @param after the state behind the numbers of the rows
   */
  record Expected(
      SequenceTable table, ExpectedValue value, SequenceState before, SequenceState after) {}

  /**
   * The statement that writes the rows, with the numbers that they are expected to have; empty if
   * it takes several, or if the numbers are not known or cannot be used. Errors: those of the rows,
   * perhaps because of the expected numbers.
   */
  Mono<OneStatement<T>> oneStatement(InsertStatements statements, List<PreparedInsert<T>> group);

  /**
   * Completes when the group needs no connection besides its own. Subscribed to before the group
   * has a connection.
   */
  Mono<?> ready();

  /** The rows as they would be with other numbers than those that they received. */
  default List<PreparedInsert<T>> withOtherNumbers(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> numbered) {
    return numbered;
  }

  /** Rows that are written as they were prepared. */
  static <T> GroupBody<T> asPrepared() {
    return new GroupBody<>() {
      @Override
      public Mono<List<PreparedInsert<T>>> rows(
          Connection connection, List<PreparedInsert<T>> group) {
        return Mono.just(group);
      }

      @Override
      public Mono<OneStatement<T>> oneStatement(
          InsertStatements statements, List<PreparedInsert<T>> group) {
        return Mono.fromSupplier(() -> statements.one(group, null));
      }

      @Override
      public Mono<?> ready() {
        return Mono.empty();
      }
    };
  }

  /** Rows that get their numbers in the transaction, in the order of the group. */
  record Numbered<T>(
      Numbering<T, Connection> numbering, InsertRow.Mapper<T> mapper, long maxCells, long maxBytes)
      implements GroupBody<T> {

    @Override
    public Mono<List<PreparedInsert<T>>> rows(
        Connection connection, List<PreparedInsert<T>> group) {
      return numbering.number(connection, group, this::prepare, maxCells, maxBytes);
    }

    @Override
    public Mono<OneStatement<T>> oneStatement(
        InsertStatements statements, List<PreparedInsert<T>> group) {
      return numbering.sequences() instanceof OwnSequences own && statements.movesAndInserts()
          ? numbering
              .sequenceOf(group)
              .flatMap(sequence -> oneStatement(statements, group, own, own.expected(sequence)))
          : Mono.empty();
    }

    private Mono<OneStatement<T>> oneStatement(
        InsertStatements statements,
        List<PreparedInsert<T>> group,
        OwnSequences own,
        ExpectedValue expected) {
      SequenceState before = expected.get();
      int size = group.size();
      if (before == null || before.nextValue() > SequenceState.largestNextValue(size)) {
        return Mono.empty();
      }
      SequenceState after = before.advance(size);
      Map<String, List<Long>> numbers =
          Map.of(
              before.name(),
              LongStream.range(before.nextValue(), after.nextValue()).boxed().toList());
      return own.ready()
          .map(table -> new Expected(table, expected, before, after))
          .flatMap(
              counter ->
                  numbering
                      .numberAsExpected(numbers, group, this::prepare, maxCells, maxBytes)
                      .mapNotNull(rows -> statements.one(rows, counter)));
    }

    @Override
    public Mono<?> ready() {
      return numbering.sequences() instanceof OwnSequences own ? own.ready() : Mono.empty();
    }

    @Override
    public List<PreparedInsert<T>> withOtherNumbers(
        List<PreparedInsert<T>> group, List<PreparedInsert<T>> numbered) {
      return numbering.withNextNumbers(group, numbered, this::prepare);
    }

    private PreparedInsert<T> prepare(T row, List<Long> numbers) {
      return mapper.map(row).withNumbers(numbers);
    }
  }
}
