package io.millrace.advisor;

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

  private final String quote;
  private final boolean spanner;
  private final CatalogSql sql;

  Catalog(String quote, boolean spanner, CatalogSql sql) {
    this.quote = quote;
    this.spanner = spanner;
    this.sql = sql;
  }

  /**
   * Returns Spanner in a dialect.
   *
   * @param dialect {@code googlesql} or {@code postgresql}
   * @return {@link #SPANNER} or {@link #SPANNER_POSTGRESQL}
   * @throws IllegalArgumentException if it is another name
   */
  public static Catalog ofDialect(String dialect) {
    return switch (dialect) {
      case "googlesql" -> SPANNER;
      case "postgresql" -> SPANNER_POSTGRESQL;
      default ->
          throw new IllegalArgumentException(
              "a dialect is googlesql or postgresql, was " + dialect);
    };
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

  /** The name of a table or an index; one with a schema is quoted in two parts. */
  String quote(String name) {
    return quote + name.replace(".", quote + "." + quote) + quote;
  }
}
