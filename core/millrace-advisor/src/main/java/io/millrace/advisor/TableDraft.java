package io.millrace.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table as statements have defined it so far. */
final class TableDraft {

  /** A part of a key as it is written; its column is null for an expression. */
  record Part(@Nullable String column, boolean descending, String nulls, String text) {}

  /**
   * What is among the columns of a table, and is none.
   *
   * @param name its name, or null
   * @param columns the columns that refer to another table
   * @param table the table they refer to, or null
   * @param text the source up to the name of that table
   * @param rest the source behind it
   */
  record Constraint(
      @Nullable String name,
      List<String> columns,
      @Nullable String table,
      String text,
      String rest) {

    Constraint(@Nullable String name, String text) {
      this(name, List.of(), null, text, "");
    }
  }

  /**
   * An index.
   *
   * @param clauses what is written behind its columns, without what it stores and its parent
   * @param alterations alterations that change nothing else of it
   */
  record IndexDraft(
      String name,
      boolean unique,
      boolean nullFiltered,
      @Nullable String parent,
      List<Part> parts,
      List<String> stored,
      List<String> clauses,
      List<String> alterations,
      Place place) {}

  final List<ColumnDraft> columns = new ArrayList<>();
  final List<Constraint> constraints = new ArrayList<>();
  final List<IndexDraft> indexes = new ArrayList<>();

  /** What is written behind the parentheses, except for key and parent. */
  final List<String> clauses = new ArrayList<>();

  /** Alterations that change none of the other fields. */
  final List<String> alterations = new ArrayList<>();

  String name;
  @Nullable String parent;

  List<Part> key = List.of();

  /** Where its primary key is. */
  Place place;

  private final DdlNames names;

  /** One of the clauses, or null. */
  private @Nullable String deletionPolicy;

  TableDraft(String name, Place place, DdlNames names) {
    this.name = name;
    this.place = place;
    this.names = names;
  }

  /** Sets the clause in place of the old one, or before the options, where Spanner wants it. */
  void deletionPolicy(@Nullable String policy) {
    int place = TableText.placeBefore("OPTIONS", clauses);
    if (deletionPolicy != null) {
      place = clauses.indexOf(deletionPolicy);
      clauses.remove(place);
    }
    if (policy != null) {
      clauses.add(place, policy);
    }
    deletionPolicy = policy;
  }

  Optional<ColumnDraft> column(String wanted) {
    return columns.stream().filter(column -> names.same(column.name, wanted)).findFirst();
  }
}
