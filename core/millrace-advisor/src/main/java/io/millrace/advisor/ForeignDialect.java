package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/** Tells from the types of columns which database a file was written for. */
final class ForeignDialect {

  /** For whom a file may be written. */
  private enum Language {
    GOOGLESQL("Spanner's GoogleSQL", "INT64", "FLOAT64", "FLOAT32", "STRING", "BYTES", "ARRAY"),
    POSTGRESQL(
        "PostgreSQL",
        "BIGINT",
        "INT",
        "INTEGER",
        "INT8",
        "INT4",
        "SMALLINT",
        "SERIAL",
        "BIGSERIAL",
        "VARCHAR",
        "CHARACTER",
        "TEXT",
        "BYTEA",
        "BOOLEAN",
        "REAL",
        "DOUBLE",
        "FLOAT8",
        "FLOAT4",
        "TIMESTAMPTZ",
        "JSONB",
        "SPANNER"),
    OTHER(
        "another database",
        "DATETIME",
        "DATETIME2",
        "TINYINT",
        "MEDIUMINT",
        "MEDIUMTEXT",
        "LONGTEXT",
        "BLOB",
        "CLOB",
        "NVARCHAR",
        "VARCHAR2",
        "NVARCHAR2",
        "NUMBER",
        "ENGINE",
        "UNSIGNED");

    final String title;
    final Set<String> words;

    Language(String title, String... words) {
      this.title = title;
      this.words = Set.of(words);
    }
  }

  private ForeignDialect() {}

  /**
   * Refuses a file that has signs of another language and none of the one it is read as.
   *
   * @throws SchemaFileException if so
   */
  static void refuse(Catalog catalog, Path file, List<DdlStatement> statements) {
    Map<Language, Integer> signs = new EnumMap<>(Language.class);
    statements.forEach(statement -> count(statement.words(), signs));
    Language wanted =
        catalog == Catalog.SPANNER_POSTGRESQL ? Language.POSTGRESQL : Language.GOOGLESQL;
    if (signs.getOrDefault(wanted, 0) >= signs.getOrDefault(Language.OTHER, 0)
        && signs.containsKey(wanted)) {
      return;
    }
    signs.keySet().stream()
        .filter(language -> language != wanted)
        .max((a, b) -> signs.get(a) - signs.get(b))
        .ifPresent(
            language -> {
              throw new SchemaFileException(
                  file, file + " is written for " + language.title + ", not for " + wanted.title);
            });
  }

  private static void count(List<Token> words, Map<Language, Integer> signs) {
    for (int i = 0; i + 2 < words.size(); i++) {
      int type = words.get(i).getType();
      String next = words.get(i + 2).getText().toUpperCase(Locale.ROOT);
      if (type == GoogleSqlLexer.OPEN || type == GoogleSqlLexer.COMMA) {
        for (Language language : Language.values()) {
          if (language.words.contains(next)) {
            signs.merge(language, 1, Integer::sum);
          }
        }
      }
    }
  }
}
