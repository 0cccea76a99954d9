package io.millrace.r2dbc;

import io.millrace.internal.GuardedCall;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The differences between databases and between their drivers: how names are quoted and parameters
 * bound, how the table of counters is created, how an {@code UPDATE} returns the new value, and
 * what failures mean. Immutable.
 *
 * <p>The dialects of Cloud Spanner, PostgreSQL, MySQL, MariaDB and H2 are constants. {@link #of}
 * detects the dialect of a connection factory. For another database, define a dialect with {@link
 * #builder}:
 *
 * <pre>{@code
 * R2dbcDialect cockroach =
 *     R2dbcDialect.builder("CockroachDB")
 *         .numberedMarkers("$")
 *         .returning("{update} RETURNING {column}")
 *         .sqlState(FailureKind.TABLE_MISSING, "42P01")
 *         .build();
 * }</pre>
 */
public final class R2dbcDialect {

  private static final Logger LOGGER = Loggers.getLogger(R2dbcDialect.class);

  private static final Pattern SPANNER_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /** The server, Spanner's too, silently drops the bytes after these. */
  private static final int POSTGRESQL_NAME_BYTES = 63;

  /** The driver splits the SQL at each semicolon, even inside quotes, and runs the parts. */
  private static final Pattern H2_NAME = Pattern.compile("[^;]*");

  private static final long SPANNER_CELLS = 80_000;

  /** A placeholder in a template. All are filled in one pass, as a name may look like another. */
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

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
          .moveAndInsert(MoveAndInsert.POSTGRESQL)
          .arrays(ArrayTypes.POSTGRESQL)
          .nativeSequences(NativeSequenceSql.POSTGRESQL)
          .build();

  /**
   * H2, with the driver r2dbc-h2. The driver runs the database on the calling thread, so this
   * module calls it on {@code Schedulers.boundedElastic()}.
   */
  public static final R2dbcDialect H2 =
      builder("H2")
          .names(NameRule.STANDARD.atMost(256).of(H2_NAME))
          .maxParameters(100_000)
          .numberedMarkers("$")
          .returning("SELECT {column} FROM FINAL TABLE ({update})")
          .sqlState(FailureKind.CONFLICT, "HYT00", "90131")
          .sqlState(FailureKind.TABLE_MISSING, "42S03", "42S04", "90036", "90079")
          .sqlState(FailureKind.REFUSED, "90006")
          .sqlState(FailureKind.NOT_PERMITTED, "90096")
          .sqlState(FailureKind.CONNECTION_LOST, "90067", "90098", "90121")
          .blocking()
          .keepsFewStatements()
          .nativeSequences(NativeSequenceSql.H2)
          .build();

  /** MySQL 8.0.17 or later, with the driver r2dbc-mysql. */
  public static final R2dbcDialect MYSQL = MySqlDialects.of("MySQL", "utf8mb4_0900_bin").build();

  /** MariaDB, with the driver r2dbc-mariadb. */
  public static final R2dbcDialect MARIADB =
      MySqlDialects.of("MariaDB", "utf8mb4_nopad_bin")
          .nativeSequences(NativeSequenceSql.MARIADB)
          .moveAndInsert(MoveAndInsert.MARIADB)
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
  private final boolean remembersUpdate;
  private final FailureRule failures;
  private final boolean blocking;
  private final boolean writesInTransactions;
  private final @Nullable MoveAndInsert moveAndInsert;
  private final boolean keepsStatements;
  private final ArrayTypes arrayTypes;
  private final @Nullable NativeSequenceSql nativeSequences;

  R2dbcDialect(R2dbcDialectBuilder builder) {
    this.name = builder.name;
    this.names = builder.names;
    this.maxParameters = builder.maxParameters;
    this.markers = builder.markers;
    this.createTable = builder.createTable;
    this.returning = builder.returning;
    this.remembersUpdate = builder.remembersUpdate;
    this.failures =
        builder.spanner
            ? new SpannerStatus()
            : new SqlStates(builder.states, builder.codes, builder.serverCodes);
    this.blocking = builder.blocking;
    this.writesInTransactions = builder.spanner;
    this.moveAndInsert = builder.moveAndInsert;
    this.keepsStatements = builder.keepsStatements;
    this.arrayTypes = builder.arrayTypes;
    this.nativeSequences = builder.nativeSequences;
  }

  /**
   * The template for Spanner. Without the SQL comment, the driver would not run the statement as a
   * query, and would not return its rows. As a query, Spanner refuses it outside a transaction, so
   * no value is taken there.
   */
  private static String spannerReturning(String keyword) {
    return "/* with rows */ {update} " + keyword + " {column}";
  }

  /**
   * Detects the dialect of a database from the name that its driver reports, also through a pool.
   * For Cloud Spanner, whose driver reports one name for two dialects, this also runs a query.
   *
   * @return the dialect, delivered on the subscribing thread or a driver thread. Nothing happens
   *     before subscription. A dialect is cached once detected; a failure is not. Errors: {@link
   *     IllegalArgumentException} if there is no dialect for the database, or the error of the
   *     query
   */
  public static Mono<R2dbcDialect> of(ConnectionFactory connections) {
    return new DialectDetection(connections).dialect();
  }

  /**
   * Returns a builder whose defaults are those of standard SQL.
   *
   * @param name the database's name, for messages
   */
  public static R2dbcDialectBuilder builder(String name) {
    return new R2dbcDialectBuilder(name);
  }

  /** Returns the name of the database, for messages. */
  public String name() {
    return name;
  }

  /**
   * Quotes the name of a table, part by part, so reserved words are allowed, case is preserved, and
   * no part is interpreted as SQL.
   *
   * @param name the table, optionally qualified with a schema, or a catalog and a schema, and
   *     without control characters. PostgreSQL allows 63 bytes for each part, H2 256 characters
   *     without semicolons. Spanner allows a letter followed by letters, digits and underscores, up
   *     to 128 characters, or 63 in its PostgreSQL dialect
   * @throws IllegalArgumentException if the database does not accept the name
   */
  public String quote(String name) {
    return names.table(name);
  }

  /**
   * Quotes the name of a column, which has no dots.
   *
   * @param name the column, as for {@link #quote(String)}
   * @throws IllegalArgumentException if the database does not accept the name
   */
  public String quoteColumn(String name) {
    return names.column(name);
  }

  /** The most parameters that a statement may have. */
  int maxParameters() {
    return maxParameters;
  }

  /** The values that rows may be sent with as arrays. */
  ArrayTypes arrayTypes() {
    return arrayTypes;
  }

  /** The statements on sequences of the database itself; null if it has none. */
  @Nullable NativeSequenceSql nativeSequences() {
    return nativeSequences;
  }

  /** How one statement moves a counter and writes rows; null if it takes a transaction. */
  @Nullable MoveAndInsert moveAndInsert() {
    return moveAndInsert;
  }

  /** Whether the driver may keep a prepared statement for each SQL text, without a limit. */
  boolean keepsStatements() {
    return keepsStatements;
  }

  /** The most cells that a transaction may write. */
  long maxCells() {
    return writesInTransactions ? SPANNER_CELLS : Long.MAX_VALUE;
  }

  /** How parameters are written and bound. */
  BindMarkers markers() {
    return markers;
  }

  /**
   * Creates a statement and binds its parameters.
   *
   * @param connection the connection to run the statement on
   * @param sql the text, with this dialect's bind markers
   * @param values the parameters; none may be null
   * @return the statement, not yet executed
   */
  public Statement statement(Connection connection, String sql, Object... values) {
    Statement statement = connection.createStatement(sql);
    for (int i = 0; i < values.length; i++) {
      markers.bind(statement, i, values[i]);
    }
    return statement;
  }

  /**
   * Classifies a failure by itself or, failing that, by its causes.
   *
   * @param failure the failure that the driver reported
   * @return its kind; {@link FailureKind#OTHER} if it is unknown
   */
  public FailureKind failure(Throwable failure) {
    if (failure instanceof CounterChangedException) {
      return FailureKind.CONFLICT;
    }
    return GuardedCall.get(
        () -> failures.kindWithCauses(failure),
        thrown -> {
          LOGGER.warn("Could not classify {}", failure.getClass(), thrown);
          return FailureKind.OTHER;
        });
  }

  /**
   * Returns whether the driver blocks the calling thread. Its connections are then acquired, used
   * and closed on {@code Schedulers.boundedElastic()}; a pool opens them on a thread that it
   * chooses.
   */
  public boolean isBlocking() {
    return blocking;
  }

  /** Whether each write needs an explicit transaction, which the connection does not report. */
  boolean writesInTransactions() {
    return writesInTransactions;
  }

  /** The statement that creates the table of counters, for names that are quoted. */
  String createTable(String table, String nameColumn, String valueColumn, int length) {
    return filled(
        createTable,
        Map.of(
            "table", table,
            "name", nameColumn,
            "value", valueColumn,
            "length", Integer.toString(length)));
  }

  /** An update that returns a column of the row it wrote; null if the database has none. */
  @Nullable String returning(String update, String column) {
    return returning == null ? null : filled(returning, Map.of("update", update, "column", column));
  }

  /** Whether a connection remembers the value of {@link #remembered}, across statements. */
  boolean remembersUpdate() {
    return remembersUpdate;
  }

  /**
   * The value of an expression, which the connection remembers. Without the cast it has no sign.
   */
  static String remembered(String expression) {
    return "CAST(LAST_INSERT_ID(" + expression + ") AS SIGNED)";
  }

  /** A query for the value that the connection remembers. */
  static String remembered() {
    return "SELECT CAST(LAST_INSERT_ID() AS SIGNED)";
  }

  private static String filled(String template, Map<String, String> places) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            place -> Matcher.quoteReplacement(places.getOrDefault(place.group(1), place.group())));
  }

  @Override
  public String toString() {
    return "R2dbcDialect[" + name + "]";
  }
}
