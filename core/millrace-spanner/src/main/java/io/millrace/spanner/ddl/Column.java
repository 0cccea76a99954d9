package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.internal.Identifiers;

/**
 * A column of a table.
 *
 * @param name its name, checked with {@link Identifiers}
 * @param type its type
 * @param nullable whether it may be null
 * @param source where its value comes from if a statement does not give it
 */
record Column(String name, ColumnType type, boolean nullable, Source source) {

  /** The clause behind the type of a column. */
  @FunctionalInterface
  interface Source {

    /** Statements give the value, or it is null. */
    Source STATEMENTS = dialect -> "";

    /** The clause, with a space before it, or an empty text. */
    String toDdl(Dialect dialect);
  }

  String toDdl(Dialect dialect) {
    return Identifiers.quote(dialect, name)
        + (" " + type.toDdl(dialect))
        + (nullable ? "" : " NOT NULL")
        + type.options(dialect)
        + source.toDdl(dialect);
  }
}
