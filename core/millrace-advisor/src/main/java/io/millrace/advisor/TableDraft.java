package io.millrace.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table as statements have defined it so far. */
final class TableDraft {

  /** A part of a key; its column is null for an expression. */
  record Part(@Nullable String column, boolean descending) {}

  /** Columns that refer to the key of a table; the name may be null. */
  record Reference(@Nullable String name, List<String> columns, String table) {}

  /**
   * An index.
   *
   * @param head its statement up to the name of the table
   * @param rest its statement behind the parenthesis before its columns
   * @param alterations the statements that alter it
   */
  record IndexDraft(
      String name,
      boolean unique,
      @Nullable String parent,
      List<Part> parts,
      String head,
      String rest,
      List<String> alterations,
      Place place) {}

  final List<ColumnDraft> columns = new ArrayList<>();
  final List<Reference> references = new ArrayList<>();
  final List<IndexDraft> indexes = new ArrayList<>();

  String name;
  @Nullable String parent;

  List<Part> key = List.of();

  /** Where its primary key is. */
  Place place;

  private final DdlDialect dialect;

  TableDraft(String name, Place place, DdlDialect dialect) {
    this.name = name;
    this.place = place;
    this.dialect = dialect;
  }

  Optional<ColumnDraft> column(String wanted) {
    return columns.stream().filter(column -> dialect.same(column.name, wanted)).findFirst();
  }
}
