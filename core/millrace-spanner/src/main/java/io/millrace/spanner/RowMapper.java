package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Maps a row to mutations, checks their names, and measures them. */
final class RowMapper<T> {

  private final Function<? super T, ? extends Iterable<Mutation>> mutations;
  private final int indexEntries;

  /** Whether only inserts can be written. */
  private final boolean insertsOnly;

  RowMapper(
      Function<? super T, ? extends Iterable<Mutation>> mutations,
      int indexEntries,
      boolean insertsOnly) {
    this.mutations = mutations;
    this.indexEntries = indexEntries;
    this.insertsOnly = insertsOnly;
  }

  PreparedMutations<T> map(T row) {
    List<Mutation> mapped = new ArrayList<>();
    for (Mutation mutation :
        Objects.requireNonNull(mutations.apply(row), "a row was mapped to null")) {
      check(Objects.requireNonNull(mutation, "a row was mapped to a mutation that is null"));
      mapped.add(mutation);
    }
    if (mapped.isEmpty()) {
      throw new IllegalArgumentException("a row was mapped to no mutation");
    }
    return new PreparedMutations<>(
        row,
        List.copyOf(mapped),
        MutationSize.cells(mapped, indexEntries),
        MutationSize.bytes(mapped));
  }

  private void check(Mutation mutation) {
    Identifiers.table("a table", mutation.getTable());
    if (mutation.getOperation() != Mutation.Op.DELETE) {
      mutation.asMap().keySet().forEach(column -> Identifiers.column("a column", column));
    }
    if (insertsOnly && mutation.getOperation() != Mutation.Op.INSERT) {
      throw new IllegalArgumentException(
          "with dml() every mutation must be an INSERT, was " + mutation.getOperation());
    }
  }
}
