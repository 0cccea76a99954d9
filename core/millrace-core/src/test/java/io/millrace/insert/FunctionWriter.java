package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupTransactions;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A database that passes each group to a function of the test. */
record FunctionWriter(Function<List<HandWriter.Row>, Mono<List<Committed<Integer>>>> function)
    implements GroupTransactions<Integer, HandWriter.Row> {

  /** A database that commits every group at once, on the thread that subscribes. */
  static FunctionWriter instant() {
    return new FunctionWriter(FunctionWriter::committed);
  }

  static Mono<List<Committed<Integer>>> committed(List<HandWriter.Row> group) {
    return Mono.fromCallable(
        () -> group.stream().map(row -> HandWriter.committed(row.row())).toList());
  }

  @Override
  public HandWriter.Row prepare(Integer row) {
    return new HandWriter.Row(row);
  }

  @Override
  public Mono<List<Committed<Integer>>> commit(List<HandWriter.Row> group) {
    return function.apply(group);
  }

  @Override
  public Mono<List<InsertOutcome<Integer>>> find(
      List<HandWriter.Row> group, List<HandWriter.Row> sent) {
    throw new AssertionError("no answer is lost");
  }
}
