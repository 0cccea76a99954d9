package io.millrace.r2dbc;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/** Cloud Spanner, with the driver cloud-spanner-r2dbc. */
abstract class SpannerDialect implements R2dbcDialect {

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /** Of a database in the dialect GoogleSQL. */
  static final class GoogleSql extends SpannerDialect {

    private static final NameRule NAMES = new NameRule('`', 128, false, NAME);

    @Override
    public String name() {
      return "Cloud Spanner";
    }

    @Override
    public String quoteIdentifier(String part) {
      return NAMES.quoted(part);
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

  /** Of a database in the dialect PostgreSQL. */
  static final class PostgreSql extends SpannerDialect {

    private static final NameRule NAMES =
        new NameRule('"', PostgreSqlDialect.NAME_BYTES, true, NAME);

    @Override
    public String name() {
      return "Cloud Spanner (PostgreSQL)";
    }

    @Override
    public String quoteIdentifier(String part) {
      return NAMES.quoted(part);
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
  public final void bind(Statement statement, int index, Object value) {
    statement.bind(parameter(index), value);
  }

  @Override
  public final void bindNull(Statement statement, int index, Class<?> type) {
    statement.bindNull(parameter(index), type);
  }

  static String parameter(int index) {
    return "p" + (index + 1);
  }

  /**
   * Without the SQL comment, the driver would not run the statement as a query, and would not
   * return its rows. As a query, Spanner refuses it outside a transaction, so no value is taken
   * there.
   */
  static String query(String update, String returning) {
    return "/* with rows */ " + update + " " + returning;
  }

  private static final String DIALECT =
      "SELECT option_value FROM information_schema.database_options"
          + " WHERE option_name = 'database_dialect'";

  /**
   * The driver reports one name for both dialects. Sends a query that both accept. The client may
   * block, as it has no session yet.
   */
  @Override
  public final Mono<R2dbcDialect> forDatabase(ConnectionFactory connections) {
    return ConnectionSource.of(new Connections(connections), this)
        .offloaded()
        .use(connection -> Results.firstValue(connection.createStatement(DIALECT), String.class))
        .defaultIfEmpty("")
        .map(option -> option.equals("POSTGRESQL") ? SPANNER_POSTGRESQL : SPANNER);
  }

  /** All connections of the driver share one client, which finds the servers. */
  @Override
  public final boolean shouldEvict(FailureKind kind) {
    return false;
  }

  @Override
  public final long maxCells() {
    return 80_000;
  }

  @Override
  public final boolean writesInTransactions() {
    return true;
  }

  @Override
  public final FailureKind kind(Throwable failure) {
    return SpannerStatus.kind(failure);
  }

  @Override
  public final String toString() {
    return name();
  }
}
