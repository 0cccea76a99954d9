package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the queries of {@link SchemaAdvisor}. */
@FunctionalInterface
public interface SchemaQuery {

  /**
   * Runs a query. May block.
   *
   * @param sql a query without parameters
   * @return the rows, each with its columns in order, as text; {@code null} for null and {@code
   *     "true"} for true
   * @throws RuntimeException if the query fails
   */
  List<List<@Nullable String>> rows(String sql);
}
