package io.millrace.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table as statements have defined it so far. */
final class TableDraft {

  /** A constraint; its name is null if the statement has none. */
  record Reference(@Nullable String name, List<String> columns, String table) {}

  /**
   * An index.
   *
   * @param notNull the columns whose rows without a value it leaves out
   */
  record IndexDraft(
      String name,
      boolean unique,
      boolean nullFiltered,
      @Nullable String parent,
      List<String> notNull,
      List<KeyPart> parts,
      List<String> stored,
      Place place) {}

  final List<ColumnDraft> columns = new ArrayList<>();
  final List<IndexDraft> indexes = new ArrayList<>();
  final List<Reference> references = new ArrayList<>();
  String name;
  @Nullable String parent;
  @Nullable String deletionPolicy;
  List<KeyPart> key = List.of();

  /** Where its primary key is. */
  Place place;

  private final DdlNames names;

  TableDraft(String name, Place place, DdlNames names) {
    this.name = name;
    this.place = place;
    this.names = names;
  }

  Optional<ColumnDraft> column(String wanted) {
    return columns.stream().filter(column -> names.same(column.name, wanted)).findFirst();
  }
}
