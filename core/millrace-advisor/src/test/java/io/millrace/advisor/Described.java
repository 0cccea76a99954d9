package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.EmulatorDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Describes a schema in lines that are easy to compare, without the places in files. */
final class Described {

  private Described() {}

  static DdlDialect dialect(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL ? DdlDialect.POSTGRESQL : DdlDialect.GOOGLESQL;
  }

  /** What a database says of itself, except for identity columns, which the emulator omits. */
  static Schema of(EmulatorDatabase database) {
    Catalog catalog = dialect(database.dialect()).catalog();
    return new SchemaReader(catalog, new SpannerQuery(database.client())).read();
  }

  static Schema parsed(Dialect dialect, List<String> ddl) {
    return SchemaFiles.of(
        dialect(dialect), List.of(new DdlFile(Path.of("a.sql"), String.join(";\n", ddl))));
  }

  /** Compares table by table. */
  static void assertSame(Schema parsed, EmulatorDatabase database) {
    SortedMap<String, List<String>> expected = tables(of(database), identities(database));
    SortedMap<String, List<String>> tables = tables(parsed);
    assertThat(tables.keySet()).isEqualTo(expected.keySet());
    tables.forEach((name, lines) -> assertThat(lines).as(name).isEqualTo(expected.get(name)));
  }

  static String text(DdlStatement statement) {
    return statement.tokens().stream().map(Token::getText).collect(Collectors.joining());
  }

  /** The identity columns, which the emulator has in its statements only. */
  private static Set<String> identities(EmulatorDatabase database) {
    return parsed(database.dialect(), database.ddl()).tables().values().stream()
        .flatMap(table -> table.columns().stream().filter(Column::spread).map(in(table)))
        .collect(Collectors.toSet());
  }

  private static Function<Column, String> in(Table table) {
    return column -> table.name() + "." + column.name();
  }

  static SortedMap<String, List<String>> tables(Schema schema) {
    return tables(schema, Set.of());
  }

  private static SortedMap<String, List<String>> tables(Schema schema, Set<String> identities) {
    SortedMap<String, List<String>> tables = new TreeMap<>();
    schema.tables().values().forEach(table -> tables.put(table.name(), table(table, identities)));
    return tables;
  }

  private static List<String> table(Table table, Set<String> identities) {
    List<String> lines = new ArrayList<>();
    lines.add("parent " + table.parent());
    table.text().clauses().stream()
        .filter(clause -> clause.matches("(?s)(ROW|TTL) .*"))
        .forEach(policy -> lines.add(spaced(policy)));
    for (Column column : table.columns()) {
      boolean identity = identities.contains(in(table).apply(column));
      lines.add("column " + column(column, column.spread() || identity));
    }
    lines.add("key " + table.key());
    table.indexes().stream().map(Described::index).sorted().forEach(lines::add);
    table.foreignKeys().stream().map(each -> "refers " + each).sorted().forEach(lines::add);
    return lines;
  }

  private static Column column(Column column, boolean spread) {
    return new Column(
        column.name(),
        column.type().replaceAll("\\(vector_length.*", ""),
        column.nullable(),
        spaced(column.defaultValue()),
        spaced(column.generated()),
        column.counted(),
        spread,
        column.commitTimestamp(),
        column.clauses().endsWith(" STORED") ? "STORED" : "");
  }

  private static String index(Index index) {
    return "index "
        + new Index(
            index.name(),
            index.unique(),
            index.nullFiltered(),
            index.parent(),
            index.parts(),
            index.rest(),
            index.stored().stream().sorted().collect(Collectors.toList()),
            index.clauses().stream().map(Described::spaced).toList(),
            index.alterations(),
            null);
  }

  /** Spanner writes expressions with other space, and those of PostgreSQL with casts. */
  private static @Nullable String spaced(@Nullable String expression) {
    return expression == null
        ? null
        : expression
            .replaceAll("::[a-z ]+", "")
            .replaceAll("\\s+", "")
            .replaceAll("'(-?[0-9.]+)'", "$1")
            .toLowerCase(Locale.ROOT)
            .replaceAll("cast\\(|asvarchar|[()\"`]", "");
  }
}
