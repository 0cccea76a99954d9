package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import io.millrace.insert.GroupWriter;
import java.util.List;

/** A row of an insert pipeline and the mutations that write it. */
record PreparedMutations<T>(T row, List<Mutation> mutations, long cells, long bytes)
    implements GroupWriter.PreparedRow<T> {}
