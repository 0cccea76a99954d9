package io.millrace.databases;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerEmulator;
import org.jspecify.annotations.Nullable;

/** The databases that tests run on. */
public enum DatabaseKind {
  /** H2, in this process's memory. */
  H2,
  /** A PostgreSQL server that this process starts. */
  POSTGRESQL,
  /** A MySQL server that this process starts. */
  MYSQL,
  /** A MariaDB server that this process starts. */
  MARIADB,
  /** A GoogleSQL database on the Spanner emulator. */
  SPANNER,
  /** A PostgreSQL-dialect database on the Spanner emulator. */
  SPANNER_POSTGRESQL;

  /**
   * Returns whether the database is Spanner.
   *
   * @return true for both dialects
   */
  public boolean isSpanner() {
    return this == SPANNER || this == SPANNER_POSTGRESQL;
  }

  /**
   * Returns whether the database is MySQL or MariaDB, whose SQL is almost the same.
   *
   * @return true for both
   */
  public boolean isMySql() {
    return this == MYSQL || this == MARIADB;
  }

  /**
   * Quotes names as this database does.
   *
   * @param sql a statement with names between double quotes
   * @return the statement; with backticks for MySQL and MariaDB
   */
  public String quoted(String sql) {
    return isMySql() ? sql.replace('"', '`') : sql;
  }

  /**
   * Why tests cannot run on this database, and how to get it; null if they can.
   *
   * @throws IllegalStateException with this reason, if the tests must run
   */
  @Nullable String absence() {
    String reason = reason();
    if (reason != null
        && Boolean.getBoolean(
            isSpanner()
                ? "spanner.required"
                : isMySql() ? "mysql.required" : "postgres.required")) {
      throw new IllegalStateException(reason + " (and it is required)");
    }
    return reason;
  }

  private @Nullable String reason() {
    if (isSpanner() && SpannerEmulator.find().isEmpty()) {
      return "no Spanner emulator: " + SpannerEmulator.HOW_TO_GET;
    }
    if (isMySql()) {
      return MySqlServer.absence(this);
    }
    return this == POSTGRESQL ? PostgresServer.absence() : null;
  }

  /**
   * Creates an empty database.
   *
   * @param ddl statements to run in it
   * @return the database; closing it drops it
   */
  public R2dbcDatabase create(String... ddl) {
    R2dbcDatabase database =
        switch (this) {
          case H2 -> H2Database.create();
          case POSTGRESQL -> PostgresServer.shared().createDatabase();
          case MYSQL, MARIADB -> MySqlServer.shared(this).createDatabase();
          case SPANNER -> SpannerR2dbcDatabase.create(Dialect.GOOGLE_STANDARD_SQL);
          case SPANNER_POSTGRESQL -> SpannerR2dbcDatabase.create(Dialect.POSTGRESQL);
        };
    database.execute(ddl);
    return database;
  }

  /**
   * Starts a server that only the caller uses, and may stop and restart.
   *
   * @return the server; closing it stops it
   * @throws UnsupportedOperationException if this database has none: H2 and Spanner
   */
  public DatabaseServer startServer() {
    return switch (this) {
      case POSTGRESQL -> PostgresServer.start();
      case MYSQL, MARIADB -> MySqlServer.start(this);
      case H2, SPANNER, SPANNER_POSTGRESQL ->
          throw new UnsupportedOperationException("no server to start for " + this);
    };
  }
}
