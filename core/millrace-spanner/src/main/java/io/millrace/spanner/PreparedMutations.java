package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import io.millrace.insert.spi.PreparedRow;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A row of an insert pipeline and the mutations that write it.
 *
 * @param numbers those that it received in the transaction
 */
record PreparedMutations<T>(
    T row, List<Mutation> mutations, long cells, long bytes, List<Long> numbers)
    implements PreparedRow<T> {

  PreparedMutations(T row, List<Mutation> mutations, long cells, long bytes) {
    this(row, mutations, cells, bytes, List.of());
  }

  PreparedMutations<T> withNumbers(List<Long> received) {
    return new PreparedMutations<>(row, mutations, cells, bytes, received);
  }

  /** The tables that are written; empty while the mutations are not known. */
  Set<String> tables() {
    return mutations.stream().map(Mutation::getTable).collect(Collectors.toSet());
  }
}
