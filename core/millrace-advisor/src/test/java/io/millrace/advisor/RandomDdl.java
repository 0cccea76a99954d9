package io.millrace.advisor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Statements for tables that are interleaved, refer to each other, have indexes and are altered.
 */
final class RandomDdl {

  private static final String NAME = "@";

  private static final List<String> GOOGLESQL_TYPES =
      List.of(
          "INT64", "STRING ( 36 )", "STRING ( MAX )", "TIMESTAMP", "DATE", "BOOL", "BYTES ( 9 )");

  private static final List<String> POSTGRESQL_TYPES =
      List.of("BIGINT", "VARCHAR ( 36 )", "TEXT", "TIMESTAMPTZ", "DATE", "BOOL", "BYTEA");

  private static final List<String> NOISE =
      List.of(" ", "\n", "\t \r\n", " /* ; ( ' \n `\" */ ", " -- it's ; )\n", " /**/\n");

  private record MadeTable(
      String name,
      List<String> columns,
      List<String> types,
      List<String> definitions,
      List<String> key) {}

  private final Random random;
  private final boolean postgreSql;
  private final String prefix;
  private final List<MadeTable> tables = new ArrayList<>();

  /** The statements, as words with a space between two of them. */
  private final List<String> statements = new ArrayList<>();

  RandomDdl(long seed, boolean postgreSql, int size) {
    this.random = new Random(seed);
    this.postgreSql = postgreSql;
    this.prefix = postgreSql ? "t" : "T";
    for (int i = 0; i < size; i++) {
      table(NAME + prefix + i);
    }
  }

  /** The statements, without anything that could be left out. */
  List<String> plain() {
    return statements.stream().map(statement -> statement.replace(NAME, "")).toList();
  }

  /** The same with comments, space and quotes, and with keywords in lower case. */
  String noisy() {
    return statements.stream()
        .map(statement -> List.of(statement.split(" ")))
        .map(words -> words.stream().map(this::noisy).collect(Collectors.joining()))
        .collect(Collectors.joining(";", "", random.nextBoolean() ? ";" : ""));
  }

  private String noisy(String word) {
    String quote = postgreSql ? "\"" : "`";
    String written =
        word.startsWith(NAME)
            ? random.nextBoolean()
                ? quote + word.substring(1) + quote
                : random.nextBoolean() && postgreSql
                    ? word.substring(1).toUpperCase(Locale.ROOT)
                    : word.substring(1)
            : random.nextBoolean() && word.matches("[A-Z_]+")
                ? word.toLowerCase(Locale.ROOT)
                : word;
    return one(NOISE) + written + one(NOISE);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private void table(String name) {
    MadeTable parent = !tables.isEmpty() && one(3) ? one(tables) : null;
    List<String> columns = new ArrayList<>();
    List<String> types = new ArrayList<>();
    List<String> definitions = new ArrayList<>();
    if (parent != null) {
      for (int i = 0; i < parent.key().size(); i++) {
        columns.add(parent.columns().get(i));
        types.add(parent.types().get(i));
        definitions.add(parent.definitions().get(i));
      }
    }
    int inherited = columns.size();
    int keys = inherited + (inherited == 0 ? 1 : 0) + random.nextInt(2);
    int count = keys + random.nextInt(4);
    for (int i = inherited; i < count; i++) {
      columns.add(NAME + (postgreSql ? "c" : "C") + i + name.substring(1));
      types.add(one(postgreSql ? POSTGRESQL_TYPES : GOOGLESQL_TYPES));
      boolean notNull = one(2);
      definitions.add(
          columns.get(i) + " " + types.get(i) + (notNull ? " NOT NULL" : "") + value(types.get(i)));
    }
    List<String> key = new ArrayList<>(parent == null ? List.of() : parent.key());
    columns.subList(inherited, keys).stream()
        .map(column -> column + (!postgreSql && one(4) ? " DESC" : ""))
        .forEach(key::add);
    create(new MadeTable(name, columns, types, definitions, key), parent);
    alterations(name);
    indexes(name, columns);
  }

  /** A default or nothing. */
  private String value(String type) {
    if (!one(4)) {
      return "";
    }
    String value =
        switch (type) {
          case "INT64", "BIGINT" -> "3";
          case "STRING ( 36 )", "VARCHAR ( 36 )" -> "'x;)y'";
          case "BOOL" -> "true";
          case "TIMESTAMP", "TIMESTAMPTZ" -> "CURRENT_TIMESTAMP";
          default -> "";
        };
    return value.isEmpty() ? "" : " DEFAULT ( " + value + " )";
  }

  private void create(MadeTable table, @Nullable MadeTable parent) {
    List<String> lines = new ArrayList<>(table.definitions());
    tables.stream()
        .filter(other -> other.key().size() == 1 && one(6))
        .forEach(other -> reference(table, other).ifPresent(lines::add));
    tables.add(table);
    String primaryKey = "PRIMARY KEY ( " + String.join(" , ", table.key()) + " )";
    if (postgreSql) {
      lines.add(primaryKey);
    }
    statements.add(
        "CREATE TABLE "
            + (table.name() + " ( " + String.join(" , ", lines) + " )")
            + (postgreSql ? "" : " " + primaryKey)
            + (parent == null
                ? ""
                : (postgreSql ? "" : " ,")
                    + (" INTERLEAVE IN PARENT " + parent.name())
                    + (one(2) ? " ON DELETE CASCADE" : "")));
  }

  /** A foreign key to a table with a key of the same type as one of the columns. */
  private static Optional<String> reference(MadeTable from, MadeTable to) {
    int column = from.types().indexOf(to.types().get(0));
    return column < 0
        ? Optional.empty()
        : Optional.of(
            "FOREIGN KEY ( "
                + (from.columns().get(column) + " ) REFERENCES " + to.name())
                + (" ( " + to.columns().get(0) + " )"));
  }

  private void alterations(String name) {
    if (one(3)) {
      String type = one(postgreSql ? POSTGRESQL_TYPES : GOOGLESQL_TYPES);
      statements.add("ALTER TABLE " + name + " ADD COLUMN " + NAME + "added " + type + value(type));
    }
    if (one(6)) {
      String type = postgreSql ? "BIGINT" : "INT64";
      statements.add("ALTER TABLE " + name + " ADD COLUMN " + NAME + "gone " + type);
      statements.add("ALTER TABLE " + name + " DROP COLUMN " + NAME + "gone");
    }
  }

  private void indexes(String table, List<String> columns) {
    for (int i = 0; i < random.nextInt(3); i++) {
      List<String> shuffled = new ArrayList<>(columns);
      Collections.shuffle(shuffled, random);
      int parts = 1 + random.nextInt(shuffled.size());
      statements.add(
          "CREATE "
              + (one(4) ? "UNIQUE " : "")
              + (!postgreSql && one(3) ? "NULL_FILTERED " : "")
              + "INDEX "
              + NAME
              + "by"
              + i
              + table.substring(1)
              + " ON "
              + table
              + " ( "
              + shuffled.subList(0, parts).stream()
                  .map(column -> column + (one(3) ? " DESC" : ""))
                  .collect(Collectors.joining(" , "))
              + " )");
      if (one(8)) {
        statements.add("DROP INDEX " + NAME + "by" + i + table.substring(1));
      }
    }
  }
}
