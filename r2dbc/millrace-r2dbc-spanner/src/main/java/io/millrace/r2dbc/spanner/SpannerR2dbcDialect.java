package io.millrace.r2dbc.spanner;

import io.millrace.internal.LogSafe;
import io.millrace.internal.Threads;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Cloud Spanner with the driver {@code cloud-spanner-r2dbc}. A store finds it through {@link
 * java.util.ServiceLoader}, and asks the database which of the two it is.
 */
public abstract sealed class SpannerR2dbcDialect implements R2dbcDialect {

  /** The dialect of GoogleSQL databases. */
  public static final R2dbcDialect GOOGLE_SQL = new GoogleSql();

  /** The dialect of PostgreSQL-dialect databases. */
  public static final R2dbcDialect POSTGRESQL = new PostgreSql();

  private static final String DIALECT_QUERY =
      "SELECT option_value FROM information_schema.database_options"
          + " WHERE option_name = 'database_dialect'";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private final String quote;
  private final int longestName;

  private SpannerR2dbcDialect(String quote, int longestName) {
    this.quote = quote;
    this.longestName = longestName;
  }

  /** GoogleSQL. */
  public static final class GoogleSql extends SpannerR2dbcDialect {

    /** Creates the dialect, for {@link java.util.ServiceLoader}. */
    public GoogleSql() {
      super("`", 128);
    }

    @Override
    public String marker(int index) {
      return "@" + parameter(index);
    }

    @Override
    public String createTable(String table, String nameColumn, String valueColumn, int nameLength) {
      return "CREATE TABLE IF NOT EXISTS %s (%s STRING(%d) NOT NULL, %s INT64 NOT NULL) PRIMARY KEY (%s)"
          .formatted(table, nameColumn, nameLength, valueColumn, nameColumn);
    }

    @Override
    public String returning(String update, String column) {
      return query(update, "THEN RETURN " + column);
    }
  }

  private static final class PostgreSql extends SpannerR2dbcDialect {

    PostgreSql() {
      super("\"", 63);
    }

    @Override
    public String marker(int index) {
      return "$" + (index + 1);
    }

    @Override
    public String returning(String update, String column) {
      return query(update, "RETURNING " + column);
    }
  }

  @Override
  public final String name() {
    return "Cloud Spanner";
  }

  /** The driver reports one name for both dialects. Sends a query that both accept. */
  @Override
  public final Mono<R2dbcDialect> forDatabase(ConnectionFactory connections) {
    return Threads.of(Schedulers.boundedElastic()) // adapt reads files
        .then(
            Mono.usingWhen(
                Mono.defer(() -> Mono.from(adapt(connections).create())),
                connection ->
                    Flux.from(connection.createStatement(DIALECT_QUERY).execute())
                        .concatMap(result -> result.map((row, columns) -> row.get(0, String.class)))
                        .next(),
                Connection::close))
        .map(option -> option.equals("POSTGRESQL") ? POSTGRESQL : GOOGLE_SQL)
        .defaultIfEmpty(GOOGLE_SQL);
  }

  @Override
  public final ConnectionFactory adapt(ConnectionFactory connections) {
    return SpannerConnectionFactory.over(connections);
  }

  /**
   * Quotes a name: a letter followed by letters, digits and underscores, up to 128 characters, or
   * 63 in a PostgreSQL-dialect database.
   */
  @Override
  public final String quoteIdentifier(String part) {
    if (part.length() > longestName || !NAME.matcher(part).matches()) {
      throw new IllegalArgumentException(
          "a name must match %s and have at most %d characters in this database, was %s"
              .formatted(NAME, longestName, LogSafe.quote(part)));
    }
    return quote + part + quote;
  }

  @Override
  public final void bind(Statement statement, int index, Object value) {
    statement.bind(parameter(index), value);
  }

  @Override
  public final void bindNull(Statement statement, int index, Class<?> type) {
    statement.bindNull(parameter(index), type);
  }

  private static String parameter(int index) {
    return "p" + (index + 1);
  }

  /**
   * Without the SQL comment, the driver would not run the statement as a query, and would not
   * return its rows. As a query, Spanner refuses it outside a transaction, so no value is taken
   * there.
   */
  private static String query(String update, String returning) {
    return "/* with rows */ " + update + " " + returning;
  }

  /** In autocommit the driver blocks a thread for each update. */
  @Override
  public final boolean writesInTransactions() {
    return true;
  }

  @Override
  public final ErrorCategory kind(Throwable failure) {
    return SpannerStatus.kind(failure);
  }

  /** All connections of the driver share one client, which finds the servers. */
  @Override
  public final boolean shouldEvict(ErrorCategory kind) {
    return false;
  }

  @Override
  public final String toString() {
    return "Cloud Spanner (" + getClass().getSimpleName() + ")";
  }
}
