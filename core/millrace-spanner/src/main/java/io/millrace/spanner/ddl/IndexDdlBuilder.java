package io.millrace.spanner.ddl;

import io.millrace.spanner.internal.Identifiers;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Configures an {@link IndexDdl}; {@link #build} checks the parts together. */
public final class IndexDdlBuilder {

  final TableDdl table;
  final String name;
  List<KeyColumn> columns = List.of();
  List<String> stored = List.of();
  boolean unique;
  boolean nullFiltered;
  @Nullable TableDdl parent;

  IndexDdlBuilder(TableDdl table, String name) {
    this.table = table;
    this.name = name;
  }

  /**
   * Sets the columns, all in ascending order.
   *
   * @param columns their names, 1 to 16
   * @throws IllegalArgumentException if one of them is not a valid name
   */
  public IndexDdlBuilder columns(String... columns) {
    this.columns = Stream.of(columns).map(KeyColumn::ascending).toList();
    return this;
  }

  /**
   * Sets the columns. They may be in descending order in both dialects.
   *
   * @param parts 1 to 16 columns
   */
  public IndexDdlBuilder columns(KeyColumn... parts) {
    this.columns = List.of(parts);
    return this;
  }

  /**
   * Stores copies of other columns in the index, to read them without accessing the table: {@code
   * STORING}, {@code INCLUDE}. Defaults to none.
   *
   * @throws IllegalArgumentException if one of them is not a valid name
   */
  public IndexDdlBuilder storing(String... columns) {
    this.stored =
        Stream.of(columns).map(column -> Identifiers.column("a stored column", column)).toList();
    return this;
  }

  /** Rejects a second row with the same values in all columns. Allowed by default. */
  public IndexDdlBuilder unique() {
    this.unique = true;
    return this;
  }

  /**
   * Omits rows with null in one of the columns: {@code NULL_FILTERED}, or {@code WHERE ... IS NOT
   * NULL}. Defaults to all rows.
   */
  public IndexDdlBuilder nullFiltered() {
    this.nullFiltered = true;
    return this;
  }

  /**
   * Interleaves the index in a table in which the indexed table is interleaved. The columns must
   * begin with the primary key of that table.
   */
  public IndexDdlBuilder interleavedIn(TableDdl ancestor) {
    this.parent = Objects.requireNonNull(ancestor, "ancestor");
    return this;
  }

  /**
   * Builds the index.
   *
   * @throws IllegalArgumentException if it has no column or more than 16, one twice, one that the
   *     table does not have, or one of type JSON; if a stored column is not in the table or is
   *     already in the index; if it is to be interleaved in a table that is not an ancestor of the
   *     indexed one; or if the columns do not begin with that table's primary key, with the same
   *     names and order
   */
  public IndexDdl build() {
    return new IndexDdl(this);
  }
}
