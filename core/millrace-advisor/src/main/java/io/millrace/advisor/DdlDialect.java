package io.millrace.advisor;

/** The dialect of statements for Spanner. */
public enum DdlDialect {
  /** GoogleSQL. */
  GOOGLESQL(Catalog.SPANNER),
  /** PostgreSQL. */
  POSTGRESQL(Catalog.SPANNER_POSTGRESQL);

  private final Catalog catalog;

  DdlDialect(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns the dialect with a name as it is written in options and properties.
   *
   * @param name {@code googlesql} or {@code postgresql}
   * @throws IllegalArgumentException if it is another name
   */
  public static DdlDialect of(String name) {
    return switch (name) {
      case "googlesql" -> GOOGLESQL;
      case "postgresql" -> POSTGRESQL;
      default ->
          throw new IllegalArgumentException("a dialect is googlesql or postgresql, was " + name);
    };
  }

  /** The database that accepts the statements. */
  Catalog catalog() {
    return catalog;
  }
}
