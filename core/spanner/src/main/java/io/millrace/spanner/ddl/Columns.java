package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of a table, in the order of its statement.
 *
 * @param table the table's name
 * @param all the columns
 */
record Columns(String table, List<Column> all) {

  private static final int LONGEST_KEY = 16;
  private static final int MOST_SHOWN = 20;

  /**
   * Finds a column.
   *
   * @param what needs it, for the error
   */
  Column get(String who, String name) {
    return all.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    who
                        + (" names column '" + name + "', and table '" + table + "' has only ")
                        + all.stream().map(Column::name).limit(MOST_SHOWN).toList()
                        + (all.size() > MOST_SHOWN
                            ? " and " + (all.size() - MOST_SHOWN) + " more"
                            : "")));
  }

  /** Finds the columns of a key or an index, and checks that they can be part of one. */
  KeyColumns key(String of, Collection<KeyColumn> parts) {
    if (parts.isEmpty() || parts.size() > LONGEST_KEY) {
      throw new IllegalArgumentException(
          of + " must have from 1 to " + LONGEST_KEY + " columns, had " + parts.size());
    }
    Set<String> seen = new HashSet<>();
    List<KeyColumns.Part> found = new ArrayList<>();
    for (KeyColumn part : parts) {
      Column column = get(of, part.column());
      if (!seen.add(column.name())) {
        throw new IllegalArgumentException(of + " names column '" + column.name() + "' twice");
      }
      if (!column.type().canBeKey()) {
        throw new IllegalArgumentException(
            of + " cannot have column '" + column.name() + "' of type " + column.type());
      }
      found.add(new KeyColumns.Part(column, part.descending()));
    }
    return new KeyColumns(of, List.copyOf(found));
  }

  String in(Dialect dialect) {
    return all.stream().map(column -> column.in(dialect)).collect(Collectors.joining(", "));
  }
}
