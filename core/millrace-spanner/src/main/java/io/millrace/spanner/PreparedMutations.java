package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import io.millrace.insert.spi.PreparedRow;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A row of an insert pipeline and the mutations that write it. */
record PreparedMutations<T>(T row, List<Mutation> mutations, long cells, long bytes)
    implements PreparedRow<T> {

  /** The tables that are written; empty while the mutations are not known. */
  Set<String> tables() {
    return mutations.stream().map(Mutation::getTable).collect(Collectors.toSet());
  }
}
