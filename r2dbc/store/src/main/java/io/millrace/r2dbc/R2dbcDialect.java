package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What differs between databases, and between their drivers: how names are quoted and parameters
 * bound, how a table of counters is created, how an {@code UPDATE} says what it wrote, and what
 * failures mean. Immutable; a plain description without state.
 *
 * <p>The dialects of Cloud Spanner, PostgreSQL and H2 are constants. {@link #of} finds out which
 * one a source of connections needs. For another database, {@link #builder} describes a dialect of
 * your own:
 *
 * <pre>{@code
 * R2dbcDialect mariaDb =
 *     R2dbcDialect.builder("MariaDB")
 *         .quote('`')
 *         .anonymousMarkers("?")
 *         .createTable(
 *             "CREATE TABLE IF NOT EXISTS {table} ({name} VARCHAR({length}) COLLATE utf8mb4_bin"
 *                 + " PRIMARY KEY, {value} BIGINT NOT NULL)")
 *         .errorCode(FailureKind.CONFLICT, 1205)
 *         .errorCode(FailureKind.DUPLICATE_KEY, 1062)
 *         .build();
 * }</pre>
 */
public final class R2dbcDialect {

  private static final Pattern SPANNER_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /** What is behind them the server drops without a word, also Spanner's. */
  private static final int POSTGRESQL_NAME_BYTES = 63;

  /** The driver cuts a text at each semicolon, also inside quotes, and runs the pieces. */
  private static final Pattern H2_NAME = Pattern.compile("[^;]*");

  private static final long SPANNER_CELLS = 80_000;

  /** A place in a template. All are filled at once, since a name may look like another place. */
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  /** PostgreSQL, with the driver r2dbc-postgresql. */
  public static final R2dbcDialect POSTGRESQL =
      builder("PostgreSQL")
          .names(NameRule.STANDARD.atMostBytes(POSTGRESQL_NAME_BYTES))
          .maxParameters(65_535)
          .numberedMarkers("$")
          .returning("{update} RETURNING {column}")
          .sqlState(FailureKind.CONFLICT, "40P01", "55P03")
          .sqlState(FailureKind.TABLE_MISSING, "42P01")
          .sqlState(FailureKind.CONNECTION_LOST, "57P01", "57P02", "57P03")
          .build();

  /**
   * H2, with the driver r2dbc-h2. It runs the database on the thread that calls it, so that this
   * module calls it on {@code Schedulers.boundedElastic()}.
   */
  public static final R2dbcDialect H2 =
      builder("H2")
          .names(NameRule.STANDARD.atMost(256).of(H2_NAME))
          .maxParameters(100_000)
          .numberedMarkers("$")
          .returning("SELECT {column} FROM FINAL TABLE ({update})")
          .sqlState(FailureKind.CONFLICT, "HYT00", "90131")
          .sqlState(FailureKind.TABLE_MISSING, "42S03", "42S04", "90079")
          .sqlState(FailureKind.NOT_PERMITTED, "90096")
          .sqlState(FailureKind.CONNECTION_LOST, "90067", "90098", "90121")
          .blocking()
          .build();

  /** Cloud Spanner, with the driver cloud-spanner-r2dbc, and a GoogleSQL database. */
  public static final R2dbcDialect SPANNER =
      builder("Cloud Spanner")
          .names(NameRule.STANDARD.of(SPANNER_NAME).quotedBy('`'))
          .namedMarkers("@p", "p")
          .returning(spannerReturning("THEN RETURN"))
          .createTable(
              "CREATE TABLE IF NOT EXISTS {table} ({name} STRING({length}) NOT NULL, {value} INT64"
                  + " NOT NULL) PRIMARY KEY ({name})")
          .spanner()
          .build();

  /** Cloud Spanner, with the driver cloud-spanner-r2dbc, and a PostgreSQL-dialect database. */
  public static final R2dbcDialect SPANNER_POSTGRESQL =
      builder("Cloud Spanner (PostgreSQL)")
          .names(NameRule.STANDARD.of(SPANNER_NAME).atMostBytes(POSTGRESQL_NAME_BYTES))
          .namedMarkers("$", "p")
          .returning(spannerReturning("RETURNING"))
          .spanner()
          .build();

  private final String name;
  private final NameRule names;
  private final int maxParameters;
  private final BindMarkers markers;
  private final String createTable;
  private final @Nullable String returning;
  private final FailureRule failures;
  private final boolean blocking;
  private final boolean explicit;

  R2dbcDialect(R2dbcDialectBuilder builder) {
    this.name = builder.name;
    this.names = builder.names;
    this.maxParameters = builder.maxParameters;
    this.markers = builder.markers;
    this.createTable = builder.createTable;
    this.returning = builder.returning;
    this.failures =
        builder.spanner ? new SpannerStatus() : new SqlStates(builder.states, builder.codes);
    this.blocking = builder.blocking;
    this.explicit = builder.spanner;
  }

  /**
   * Only the comment makes the driver run the statement as a query and give its rows. Outside a
   * transaction Spanner then refuses the statement, so no value is taken there.
   */
  private static String spannerReturning(String keyword) {
    return "/* with rows */ {update} " + keyword + " {column}";
  }

  /**
   * Finds the dialect of a database: by the name that its driver gives, also through a pool, and
   * for Cloud Spanner, whose driver gives one name for two dialects, by one query.
   *
   * @param connections where connections come from
   * @return the dialect. Nothing happens before it is subscribed to; what was found is kept, a
   *     failure is not. It comes on the subscribing thread or a thread of the driver. Errors:
   *     {@link IllegalArgumentException} if the database has no dialect here, or what the query
   *     reports
   */
  public static Mono<R2dbcDialect> of(ConnectionFactory connections) {
    return new DialectDetection(connections).dialect();
  }

  /**
   * Starts the description of a dialect.
   *
   * @param name the database's name, for messages
   * @return a builder that describes standard SQL
   */
  public static R2dbcDialectBuilder builder(String name) {
    return new R2dbcDialectBuilder(name);
  }

  /**
   * Returns the name of the database.
   *
   * @return a name for messages
   */
  public String name() {
    return name;
  }

  /**
   * Quotes the name of a table, part by part, so that reserved words are names, the case is kept,
   * and nothing in it is taken for SQL.
   *
   * @param name the table; a schema, or a catalog and a schema, may stand before it, with dots.
   *     Without control characters, and as the database has it: PostgreSQL takes 63 bytes a part,
   *     H2 256 characters without semicolons, Spanner a letter, then letters, digits and
   *     underscores, 128 characters and in its PostgreSQL dialect 63
   * @return the name as SQL has it
   * @throws IllegalArgumentException if the database does not take the name
   */
  public String quote(String name) {
    return names.table(name);
  }

  /**
   * Quotes the name of a column, which has no dots.
   *
   * @param name the column, as for {@link #quote(String)}
   * @return the name as SQL has it
   * @throws IllegalArgumentException if the database does not take the name
   */
  public String quoteColumn(String name) {
    return names.column(name);
  }

  /** How many parameters a statement may have. */
  int maxParameters() {
    return maxParameters;
  }

  /** How many cells a transaction may write. */
  long maxCells() {
    return explicit ? SPANNER_CELLS : Long.MAX_VALUE;
  }

  /** How parameters are written and bound. */
  BindMarkers markers() {
    return markers;
  }

  /**
   * Makes a statement and binds its parameters.
   *
   * @param connection the connection it will run on
   * @param sql its text, with {@linkplain #markers() markers}
   * @param values the parameters, none of which is null
   * @return the statement, not yet run
   */
  public Statement statement(Connection connection, String sql, Object... values) {
    Statement statement = connection.createStatement(sql);
    for (int i = 0; i < values.length; i++) {
      markers.bind(statement, i, values[i]);
    }
    return statement;
  }

  /**
   * Tells what a failure means. Causes are looked at, too.
   *
   * @param failure what the driver reported
   * @return its kind; {@link FailureKind#OTHER} if it has none
   */
  public FailureKind failure(Throwable failure) {
    return failures.kindWithCauses(failure);
  }

  /**
   * Tells whether the driver works on the thread that calls it. Its connections are then asked for,
   * used and closed on {@code Schedulers.boundedElastic()}; a pool makes them on a thread of its
   * own choice.
   *
   * @return true for a driver that blocks
   */
  public boolean isBlocking() {
    return blocking;
  }

  /** Whether each write needs a transaction that is begun; a connection does not tell of it. */
  boolean writesInTransactions() {
    return explicit;
  }

  /** The statement that creates the table of counters; names come quoted. */
  String createTable(String table, String nameColumn, String valueColumn, int length) {
    return filled(
        createTable,
        Map.of(
            "table", table,
            "name", nameColumn,
            "value", valueColumn,
            "length", Integer.toString(length)));
  }

  /** An update that answers with a column of the row it wrote; null where there is none. */
  @Nullable String returning(String update, String column) {
    return returning == null ? null : filled(returning, Map.of("update", update, "column", column));
  }

  private static String filled(String template, Map<String, String> places) {
    return PLACE
        .matcher(template)
        .replaceAll(
            place -> Matcher.quoteReplacement(places.getOrDefault(place.group(1), place.group())));
  }

  @Override
  public String toString() {
    return "R2dbcDialect[" + name + "]";
  }
}
