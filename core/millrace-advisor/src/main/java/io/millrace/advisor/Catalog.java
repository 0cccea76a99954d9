package io.millrace.advisor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The database whose schema is read. */
@SuppressWarnings("ImmutableEnumChecker") // a record of texts
public enum Catalog {
  /** Spanner, GoogleSQL. */
  SPANNER("`", true, CatalogSql.SPANNER),
  /** Spanner, PostgreSQL. */
  SPANNER_POSTGRESQL("\"", true, CatalogSql.SPANNER),
  /** PostgreSQL. */
  POSTGRESQL("\"", false, CatalogSql.POSTGRESQL),
  /** MySQL and MariaDB. */
  MYSQL("`", false, CatalogSql.MYSQL),
  /** H2. */
  H2("\"", false, CatalogSql.H2);

  private static final Pattern POLICY_COLUMN =
      Pattern.compile("((?:OLDER_THAN\\(| ON )\\s*)(\\w+)");

  private final String quote;
  private final boolean spanner;
  private final CatalogSql sql;

  Catalog(String quote, boolean spanner, CatalogSql sql) {
    this.quote = quote;
    this.spanner = spanner;
    this.sql = sql;
  }

  /** Whether the database is Spanner, whose own numbers are bit-reversed. */
  boolean isSpanner() {
    return spanner;
  }

  /** Whether a column of a primary key may be in descending order. */
  boolean hasDescendingKeys() {
    return this == SPANNER;
  }

  /** The type that a value is cast to for {@link SchemaQuery}. */
  String textType() {
    return switch (this) {
      case SPANNER -> "STRING";
      case MYSQL -> "CHAR";
      default -> "varchar";
    };
  }

  CatalogSql sql() {
    return sql;
  }

  /** The name of a column for a statement. */
  String quoteColumn(String name) {
    return quote + name.replace(quote, quote + quote) + quote;
  }

  /** A deletion policy; a database gives its column without quotes. */
  String quotePolicy(String policy) {
    return POLICY_COLUMN
        .matcher(policy)
        .replaceFirst(
            column -> Matcher.quoteReplacement(column.group(1) + quoteColumn(column.group(2))));
  }

  /** The name of a table or an index; one with a schema is quoted in two parts. */
  String quote(String name) {
    return quote + name.replace(".", quote + "." + quote) + quote;
  }
}
