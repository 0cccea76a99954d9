package io.millrace.advisor;

import io.millrace.advisor.TableDraft.IndexDraft;
import io.millrace.advisor.TableDraft.Part;
import io.millrace.advisor.TableDraft.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A schema as statements have defined it so far: tables may still be altered and dropped. */
final class SchemaDraft {

  private final DdlDialect dialect;
  private final Map<String, TableDraft> tables = new LinkedHashMap<>();
  private final Map<String, String> synonyms = new HashMap<>();
  private final List<Suppression> suppressions = new ArrayList<>();

  /** The table of each index. */
  private final Map<String, TableDraft> indexed = new HashMap<>();

  SchemaDraft(DdlDialect dialect) {
    this.dialect = dialect;
  }

  void add(TableDraft table) {
    tables.put(dialect.key(table.name), table);
  }

  Optional<TableDraft> table(String name) {
    String key = dialect.key(name);
    return Optional.ofNullable(tables.get(synonyms.getOrDefault(key, key)));
  }

  void drop(TableDraft table) {
    tables.remove(dialect.key(table.name));
    synonyms.values().removeIf(dialect.key(table.name)::equals);
    List.copyOf(table.indexes).forEach(this::drop);
    suppressions.removeIf(each -> dialect.same(each.object(), table.name));
  }

  void ignore(List<Suppression> harmless) {
    suppressions.addAll(harmless);
  }

  /** The findings that comments call harmless, of the tables as they are named now. */
  List<Suppression> suppressions() {
    return suppressions;
  }

  void addSynonym(TableDraft table, String synonym) {
    synonyms.put(dialect.key(synonym), dialect.key(table.name));
  }

  void dropSynonym(String synonym) {
    synonyms.remove(dialect.key(synonym));
  }

  void rename(TableDraft table, String name) {
    String old = table.name;
    tables.remove(dialect.key(old));
    synonyms.replaceAll((synonym, of) -> of.equals(dialect.key(old)) ? dialect.key(name) : of);
    table.name = name;
    add(table);
    suppressions.replaceAll(
        each ->
            dialect.same(each.object(), old)
                ? new Suppression(each.rule(), name, each.reason())
                : each);
    for (TableDraft other : tables.values()) {
      if (other.parent != null && dialect.same(other.parent, old)) {
        other.parent = name;
      }
      other.references.replaceAll(
          each ->
              dialect.same(each.table(), old)
                  ? new Reference(each.name(), each.columns(), name)
                  : each);
    }
  }

  void add(TableDraft table, IndexDraft index) {
    table.indexes.add(index);
    indexed.put(dialect.key(index.name()), table);
  }

  Optional<IndexDraft> index(String name) {
    return Optional.ofNullable(indexed.get(dialect.key(name))).stream()
        .flatMap(table -> table.indexes.stream())
        .filter(index -> dialect.same(index.name(), name))
        .findFirst();
  }

  void drop(IndexDraft index) {
    TableDraft table = indexed.remove(dialect.key(index.name()));
    if (table != null) {
      table.indexes.remove(index);
    }
    suppressions.removeIf(each -> dialect.same(each.object(), index.name()));
  }

  /** The tables as they are now. Columns of keys that are not there are noted. */
  List<Table> tables(Notes notes) {
    return tables.values().stream().map(table -> table(table, notes)).toList();
  }

  private Table table(TableDraft table, Notes notes) {
    List<Index> indexes = new ArrayList<>();
    for (IndexDraft each : table.indexes) {
      List<KeyPart> parts =
          parts(table, each.parts(), "the index " + each.name(), each.place(), notes);
      if (!parts.isEmpty()) {
        indexes.add(index(each, parts));
      }
    }
    return new Table(
        table.name,
        parent(table, notes),
        table.columns.stream().map(ColumnDraft::column).toList(),
        parts(table, table.key, "the primary key of " + table.name, table.place, notes),
        indexes,
        table.references.stream()
            .filter(each -> table(each.table()).filter(other -> other == table).isEmpty())
            .flatMap(each -> each.columns().stream())
            .map(column -> declared(table, column))
            .toList(),
        table.place);
  }

  /** The name of the parent, which may be missing in the files; none if it is a descendant. */
  private @Nullable String parent(TableDraft table, Notes notes) {
    Set<TableDraft> ancestors = new HashSet<>();
    String parent = table.parent;
    while (parent != null) {
      Optional<TableDraft> next = table(parent);
      if (next.isEmpty()) {
        if (ancestors.isEmpty()) {
          notes.add(
              table.place,
              "the files create no table "
                  + parent
                  + ", in which "
                  + table.name
                  + " is interleaved");
        }
        break;
      }
      if (next.get() == table || !ancestors.add(next.get())) {
        notes.add(table.place, table.name + " is interleaved in itself");
        return null;
      }
      parent = next.get().parent;
    }
    return table.parent;
  }

  private static Index index(IndexDraft index, List<KeyPart> parts) {
    return new Index(
        index.name(),
        index.unique(),
        index.parent(),
        parts,
        index.head(),
        index.rest(),
        List.copyOf(index.alterations()),
        index.place());
  }

  /**
   * The columns of a key, up to an expression or a column that is not there: what follows it says
   * nothing alone.
   */
  private List<KeyPart> parts(
      TableDraft table, List<Part> wanted, String of, Place place, Notes notes) {
    List<KeyPart> parts = new ArrayList<>();
    for (Part part : wanted) {
      if (part.column() == null) {
        if (parts.isEmpty()) {
          notes.add(place, of + " leads with an expression, which is not judged");
        }
        return parts;
      }
      if (table.column(part.column()).isEmpty()) {
        String column = "the column " + part.column();
        if (parts.isEmpty()) {
          notes.cannotJudge(
              place, of + " begins with " + column + ", which is not among the columns");
        } else {
          notes.add(place, column + " of " + of + " is not among the columns");
        }
        return parts;
      }
      parts.add(new KeyPart(declared(table, part.column()), part.descending()));
    }
    return parts;
  }

  private static String declared(TableDraft table, String column) {
    return table.column(column).map(each -> each.name).orElse(column);
  }
}
