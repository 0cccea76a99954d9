package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a database, for {@link SchemaAdvisor}. */
@FunctionalInterface
public interface SchemaQuery {

  /**
   * Runs a query. May block.
   *
   * @param sql a query without parameters
   * @return the rows, each with the text of its columns in order; null for a value that is null.
   *     True is {@code true}
   * @throws RuntimeException if the database refuses it
   */
  List<List<@Nullable String>> rows(String sql);
}
