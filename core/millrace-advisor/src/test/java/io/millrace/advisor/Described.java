package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.EmulatorDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Describes a schema in lines that are easy to compare, without the places in files. */
final class Described {

  private Described() {}

  static DdlDialect dialect(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL ? DdlDialect.POSTGRESQL : DdlDialect.GOOGLESQL;
  }

  static Schema parsed(DdlDialect dialect, List<String> ddl) {
    return SchemaFiles.of(dialect, List.of(new DdlFile(Path.of("a.sql"), String.join(";\n", ddl))));
  }

  static Advice advice(DdlDialect dialect, String... ddl) {
    return SchemaAdvisor.ofFiles(dialect, Path.of("a.sql")).advice(parsed(dialect, List.of(ddl)));
  }

  /** Compares table by table with the statements that the database describes itself with. */
  static void assertSame(Schema parsed, EmulatorDatabase database) {
    Schema described = parsed(dialect(database.dialect()), database.ddl());
    assertThat(described.notes()).isEmpty();
    SortedMap<String, List<String>> expected = tables(described);
    SortedMap<String, List<String>> tables = tables(parsed);
    assertThat(tables.keySet()).isEqualTo(expected.keySet());
    tables.forEach((name, lines) -> assertThat(lines).as(name).isEqualTo(expected.get(name)));
  }

  static String text(DdlStatement statement) {
    return statement.tokens().stream().map(Token::getText).collect(Collectors.joining());
  }

  static SortedMap<String, List<String>> tables(Schema schema) {
    SortedMap<String, List<String>> tables = new TreeMap<>();
    schema.tables().forEach(table -> tables.put(table.name(), table(table)));
    return tables;
  }

  private static List<String> table(Table table) {
    List<String> lines = new ArrayList<>();
    lines.add("parent " + lower(table.parent()));
    table.columns().forEach(column -> lines.add("column " + column(column)));
    lines.add("key " + table.key());
    table.indexes().stream().map(Described::index).sorted().forEach(lines::add);
    lines.add("refers by " + table.referring().stream().sorted().toList());
    return lines;
  }

  /** What the rules see of a column: Spanner writes some types in other words. */
  private static String column(Column column) {
    return String.join(
        " ",
        column.name(),
        column.isTime() ? "time" : "",
        column.isDate() ? "date" : "",
        column.isWholeNumber() ? "number" : "",
        column.isText() ? "text" : "",
        column.isBytes() ? "bytes" : "",
        column.isUuid() ? "uuid" : "",
        column.isEnumerated() ? "few" : "",
        String.valueOf(column.maxBytes()),
        spaced(column.defaultValue()),
        spaced(column.generated()),
        column.spread() ? "spread" : "",
        column.commitTimestamp() ? "commit" : "");
  }

  private static String index(Index index) {
    return String.join(
        " ",
        "index",
        index.name(),
        index.unique() ? "unique" : "",
        "in",
        lower(index.parent()),
        index.parts().toString());
  }

  private static String lower(@Nullable String name) {
    return String.valueOf(name).toLowerCase(Locale.ROOT);
  }

  /** Spanner writes expressions with other space, and those of PostgreSQL with casts. */
  private static String spaced(@Nullable String expression) {
    return expression == null
        ? ""
        : expression
            .replaceAll("::[a-z ]+", "")
            .replaceAll("\\s+", "")
            .replaceAll("'(-?[0-9.]+)'", "$1")
            .toLowerCase(Locale.ROOT)
            .replaceAll("cast\\(|asvarchar|[()\"`]", "");
  }
}
