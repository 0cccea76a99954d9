package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.internal.ShownText;
import io.millrace.spanner.internal.Identifiers;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The columns of a key or an index.
 *
 * @param owner what the columns belong to, for errors
 * @param parts the columns, in order
 */
record KeyColumns(String owner, List<Part> parts) {

  record Part(Column column, boolean descending) {}

  /** The list in parentheses. */
  String toDdl(Dialect dialect) {
    return parts.stream()
        .map(part -> part(dialect, part))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private String part(Dialect dialect, Part part) {
    Column column = part.column;
    if (!column.type().canBeKey(dialect)) {
      throw new IllegalArgumentException(
          owner
              + (" cannot have column "
                  + ShownText.quote(column.name())
                  + " of type "
                  + column.type())
              + (" in a database of dialect " + dialect));
    }
    return Identifiers.quote(dialect, column.name()) + (part.descending ? " DESC" : "");
  }

  boolean has(String name) {
    return parts.stream().anyMatch(part -> part.column.name().equals(name));
  }

  /**
   * Checks that rows with this key can be interleaved in a table with the other key.
   *
   * @param parent the primary key of that table
   */
  void checkBeginsWith(KeyColumns parent) {
    boolean begins = parts.size() >= parent.parts.size();
    for (int i = 0; begins && i < parent.parts.size(); i++) {
      Column theirs = parent.parts.get(i).column;
      Column ours = parts.get(i).column;
      begins =
          ours.name().equals(theirs.name())
              && ours.type().interleavesWith(theirs.type())
              && ours.nullable() == theirs.nullable()
              && parts.get(i).descending == parent.parts.get(i).descending;
    }
    if (!begins) {
      throw new IllegalArgumentException(
          owner
              + (" must begin with " + parent.owner + ", " + parent)
              + (", equal in names, types, NOT NULL and order; was " + this));
    }
  }

  @Override
  public String toString() {
    return parts.stream()
        .map(
            part ->
                part.column.name()
                    + (" " + part.column.type())
                    + (part.column.nullable() ? "" : " NOT NULL")
                    + (part.descending ? " DESC" : ""))
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
