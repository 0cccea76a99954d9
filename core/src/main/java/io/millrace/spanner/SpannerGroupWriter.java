package io.millrace.spanner;

import io.millrace.insert.GroupWriter;
import io.millrace.insert.InsertOutcome;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Writes groups of rows to Spanner, each in a transaction of its own. */
record SpannerGroupWriter<T>(Function<T, PreparedMutations<T>> mapper, InsertPolicy<T> policy)
    implements GroupWriter<T, PreparedMutations<T>> {

  @Override
  public PreparedMutations<T> prepare(T row) {
    return mapper.apply(row);
  }

  @Override
  public Mono<List<InsertOutcome<T>>> write(List<PreparedMutations<T>> group) {
    return Mono.defer(() -> new GroupInsert<>(policy, group).run());
  }
}
