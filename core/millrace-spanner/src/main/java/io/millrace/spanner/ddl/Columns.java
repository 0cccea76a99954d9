package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.internal.ShownText;
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

  private static final int MAX_KEY_COLUMNS = 16;
  private static final int MAX_SHOWN = 20;

  /**
   * Finds a column.
   *
   * @param neededBy what needs the column, for the error
   */
  Column get(String neededBy, String name) {
    return all.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    neededBy
                        + (" names column "
                            + ShownText.quote(name)
                            + ", and table "
                            + ShownText.quote(table)
                            + " has only ")
                        + all.stream()
                            .map(Column::name)
                            .map(ShownText::name)
                            .limit(MAX_SHOWN)
                            .toList()
                        + (all.size() > MAX_SHOWN
                            ? " and " + (all.size() - MAX_SHOWN) + " more"
                            : "")));
  }

  /** Finds the columns of a key or an index, and checks that they can be part of one. */
  KeyColumns key(String owner, Collection<KeyColumn> parts) {
    if (parts.isEmpty() || parts.size() > MAX_KEY_COLUMNS) {
      throw new IllegalArgumentException(
          owner + " must have from 1 to " + MAX_KEY_COLUMNS + " columns, had " + parts.size());
    }
    Set<String> seen = new HashSet<>();
    List<KeyColumns.Part> found = new ArrayList<>();
    for (KeyColumn part : parts) {
      Column column = get(owner, part.column());
      if (!seen.add(column.name())) {
        throw new IllegalArgumentException(
            owner + " names column " + ShownText.quote(column.name()) + " twice");
      }
      if (!column.type().canBeKey()) {
        throw new IllegalArgumentException(
            owner
                + " cannot have column "
                + ShownText.quote(column.name())
                + " of type "
                + column.type());
      }
      found.add(new KeyColumns.Part(column, part.descending()));
    }
    return new KeyColumns(owner, List.copyOf(found));
  }

  String toDdl(Dialect dialect) {
    return all.stream().map(column -> column.toDdl(dialect)).collect(Collectors.joining(", "));
  }
}
