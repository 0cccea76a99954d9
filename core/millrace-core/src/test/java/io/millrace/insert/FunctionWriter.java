package io.millrace.insert;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A writer that passes each group to a function of the test. */
record FunctionWriter(Function<List<HandWriter.Row>, Mono<List<InsertOutcome<Integer>>>> function)
    implements GroupWriter<Integer, HandWriter.Row> {

  /** A writer that commits every group at once, on the thread that subscribes. */
  static FunctionWriter instant() {
    return new FunctionWriter(FunctionWriter::committed);
  }

  static Mono<List<InsertOutcome<Integer>>> committed(List<HandWriter.Row> group) {
    return Mono.fromCallable(
        () -> group.stream().map(row -> HandWriter.committed(row.row())).toList());
  }

  @Override
  public HandWriter.Row prepare(Integer row) {
    return new HandWriter.Row(row);
  }

  @Override
  public Mono<List<InsertOutcome<Integer>>> write(List<HandWriter.Row> group, BitSet joined) {
    return function.apply(group);
  }
}
