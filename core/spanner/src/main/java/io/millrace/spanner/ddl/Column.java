package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.internal.Identifiers;

/**
 * A column of a table.
 *
 * @param name its name, checked as {@link Identifiers}
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

    /** The clause, with a blank before it, or nothing. */
    String in(Dialect dialect);
  }

  String in(Dialect dialect) {
    return Identifiers.quote(dialect, name)
        + (" " + type.in(dialect))
        + (nullable ? "" : " NOT NULL")
        + type.options(dialect)
        + source.in(dialect);
  }
}
