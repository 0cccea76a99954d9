package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/** Which database a file is written for, as the types of its columns suggest. */
@SuppressWarnings("ImmutableEnumChecker") // an immutable set
enum WrittenFor {
  ANOTHER(
      "another database than Spanner",
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
      "NUMBER"),
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
      "SPANNER");

  /** A table of MySQL names its engine, once. */
  private static final int SIGNS_OF_AN_ENGINE = 1_000;

  private final String title;
  private final Set<String> types;

  WrittenFor(String title, String... types) {
    this.title = title;
    this.types = Set.of(types);
  }

  /**
   * Refuses a file that has no sign of the wanted dialect and some of another database, or more of
   * a database that is not Spanner.
   *
   * @throws SchemaFileException if so
   */
  static void refuseOthers(WrittenFor wanted, Path file, List<DdlStatement> statements) {
    int wantedSigns = wanted.signsIn(statements);
    for (WrittenFor other : values()) {
      int signs = other == wanted ? 0 : other.signsIn(statements);
      if (signs > wantedSigns && (wantedSigns == 0 || other == ANOTHER)) {
        throw new SchemaFileException(
            file, file + " is written for " + other.title + ", and was read as " + wanted.title);
      }
    }
  }

  private int signsIn(List<DdlStatement> statements) {
    return statements.stream().mapToInt(this::signsIn).sum();
  }

  private int signsIn(DdlStatement statement) {
    List<Token> words = statement.words();
    int signs = 0;
    int depth = 0;
    for (int i = 0; i + 2 < words.size(); i++) {
      int type = words.get(i).getType();
      depth += type == GoogleSqlLexer.OPEN ? 1 : type == GoogleSqlLexer.CLOSE ? -1 : 0;
      boolean maybeColumn = type == GoogleSqlLexer.OPEN || type == GoogleSqlLexer.COMMA;
      if (maybeColumn && types.contains(words.get(i + 2).getText().toUpperCase(Locale.ROOT))) {
        signs++;
      }
      if (this == ANOTHER
          && depth == 0
          && words.get(i + 1).getType() == GoogleSqlLexer.EQUALS
          && words.get(i).getText().equalsIgnoreCase("ENGINE")) {
        signs += SIGNS_OF_AN_ENGINE;
      }
      if (this == GOOGLESQL
          && type == GoogleSqlLexer.CLOSE
          && words.get(i + 1).getType() == GoogleSqlLexer.PRIMARY
          && i + 3 < words.size()
          && words.get(i + 3).getType() == GoogleSqlLexer.OPEN) {
        signs++;
      }
    }
    return signs;
  }
}
