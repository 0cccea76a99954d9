package io.millrace.spanner.ddl;

import io.millrace.spanner.internal.Identifiers;

/**
 * One column of a primary key or of an index, and its order.
 *
 * @param column the column's name
 * @param descending whether the order is descending; for a timestamp, the newest rows are then
 *     first
 */
public record KeyColumn(String column, boolean descending) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if {@code column} is not a valid name: a letter, then letters,
   *     digits and underscores, at most 128 characters
   */
  public KeyColumn {
    Identifiers.column("a column of a key", column);
  }

  /**
   * Returns a column in ascending order.
   *
   * @throws IllegalArgumentException if {@code column} is not a valid name
   */
  public static KeyColumn ascending(String column) {
    return new KeyColumn(column, false);
  }

  /**
   * Returns a column in descending order.
   *
   * @throws IllegalArgumentException if {@code column} is not a valid name
   */
  public static KeyColumn descending(String column) {
    return new KeyColumn(column, true);
  }
}
