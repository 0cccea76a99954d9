package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Statement;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The differences between databases and between their drivers: how names are quoted and parameters
 * bound, how the table of counters is created, how an {@code UPDATE} returns the new value, and
 * what failures mean. Must be immutable.
 *
 * <p>The dialects of PostgreSQL, MySQL, MariaDB and H2 are constants. {@link #of} detects the
 * dialect of a connection factory. For another database, implement this interface, and pass the
 * dialect to a builder or name its class in {@code
 * META-INF/services/io.millrace.r2dbc.R2dbcDialect}. The defaults are those of standard SQL:
 *
 * <pre>{@code
 * final class CockroachDialect implements R2dbcDialect {
 *
 *   @Override
 *   public String name() {
 *     return "CockroachDB";
 *   }
 *
 *   @Override
 *   public String marker(int index) {
 *     return "$" + (index + 1);
 *   }
 *
 *   @Override
 *   public String returning(String update, String column) {
 *     return update + " RETURNING " + column;
 *   }
 * }
 * }</pre>
 */
public interface R2dbcDialect {

  /** PostgreSQL, with the driver r2dbc-postgresql. */
  R2dbcDialect POSTGRESQL = new PostgreSqlDialect();

  /**
   * H2, with the driver r2dbc-h2. The driver runs the database on the calling thread, so this
   * module calls it on {@code Schedulers.boundedElastic()}.
   */
  R2dbcDialect H2 = new H2Dialect();

  /** MySQL 8.0.17 or later, with the driver r2dbc-mysql. */
  R2dbcDialect MYSQL = new MySqlDialect("MySQL", "utf8mb4_0900_bin");

  /** MariaDB, with the driver r2dbc-mariadb. */
  R2dbcDialect MARIADB = new MariaDbDialect();

  /**
   * Detects the dialect of a database from the name that its driver reports, also through a pool.
   * The dialects that {@link java.util.ServiceLoader} finds come before the constants. {@link
   * #forDatabase} of the dialect may also query the database.
   *
   * @return the dialect, delivered on the subscribing thread or a driver thread. Nothing happens
   *     before subscription. A dialect is cached once detected; a failure is not. Errors: {@link
   *     IllegalArgumentException} if there is no dialect for the database, or the error of the
   *     query
   */
  static Mono<R2dbcDialect> of(ConnectionFactory connections) {
    return DialectDetection.kept(Mono.defer(() -> DialectDetection.detect(connections)));
  }

  /**
   * Returns the name of the database as the driver reports it in {@link
   * ConnectionFactoryMetadata#getName()}, for detection and for messages.
   */
  String name();

  /**
   * Returns the dialect of one database of this driver. Defaults to this dialect.
   *
   * @param connections the connections to the database
   */
  default Mono<R2dbcDialect> forDatabase(ConnectionFactory connections) {
    return Mono.just(this);
  }

  /**
   * Adapts the connections that this module opens to what R2DBC requires. Defaults to the given
   * connections.
   *
   * @param connections the driver's factory, or a pool
   */
  default ConnectionFactory adapt(ConnectionFactory connections) {
    return connections;
  }

  /** Prepares a new connection for its first use. Nothing by default. */
  default Mono<Void> prepare(Connection connection) {
    return Mono.empty();
  }

  /**
   * Quotes one part of a name. Defaults to the mark {@code "}, doubled inside the name, and at most
   * 128 characters.
   *
   * @param part neither blank nor with control characters; a dot is part of the name
   * @return the quoted name, of which nothing is interpreted as SQL
   * @throws IllegalArgumentException if the database would refuse the name or truncate it
   */
  default String quoteIdentifier(String part) {
    return NameRule.STANDARD.quoted(part);
  }

  /**
   * Quotes the name of a table, part by part, so reserved words are allowed, case is preserved, and
   * no part is interpreted as SQL.
   *
   * @param name the table, optionally qualified with a schema, or a catalog and a schema, and
   *     without control characters. PostgreSQL allows 63 bytes for each part, H2 256 characters
   *     without semicolons
   * @throws IllegalArgumentException if the database does not accept the name
   */
  default String quote(String name) {
    return Arrays.stream(NameRule.table("a table", name).split("\\.", -1))
        .map(this::quoteIdentifier)
        .collect(Collectors.joining("."));
  }

  /**
   * Quotes the name of a column, which has no dots.
   *
   * @param name the column, as for {@link #quote(String)}
   * @throws IllegalArgumentException if the database does not accept the name
   */
  default String quoteColumn(String name) {
    return quoteIdentifier(NameRule.column("a column", name));
  }

  /**
   * Returns the marker of a parameter in the text of a statement. Defaults to {@code ?}.
   *
   * @param index counts the parameters from 0, in the order of the text
   */
  default String marker(int index) {
    return "?";
  }

  /** Binds a parameter. By default it is bound by its index, counted from 0. */
  default void bind(Statement statement, int index, Object value) {
    statement.bind(index, value);
  }

  /** Binds a parameter to NULL, as {@link #bind} binds a value of the type. */
  default void bindNull(Statement statement, int index, Class<?> type) {
    statement.bindNull(index, type);
  }

  /** Returns how many parameters a statement may have. Defaults to 950. */
  default int maxParameters() {
    return 950;
  }

  /**
   * Returns the statement that creates the table of counters if it does not exist. Defaults to
   * standard SQL with {@code IF NOT EXISTS}. The key column must distinguish names by every
   * character: by case, accents and trailing spaces.
   *
   * @param table the quoted name of the table
   * @param nameColumn the quoted name of the key column
   * @param valueColumn the quoted name of the column of the next value
   * @param nameLength the most characters of a key
   */
  default String createTable(String table, String nameColumn, String valueColumn, int nameLength) {
    return "CREATE TABLE IF NOT EXISTS %s (%s VARCHAR(%d) NOT NULL, %s BIGINT NOT NULL, PRIMARY KEY (%s))"
        .formatted(table, nameColumn, nameLength, valueColumn, nameColumn);
  }

  /**
   * Returns an {@code UPDATE} that also returns a column of the row that it wrote. In autocommit
   * mode it must run as a single transaction. By default there is none: the store then updates and
   * reads in one transaction, and the read must see the transaction's own update.
   *
   * @param update the update
   * @param column the quoted name of the column
   */
  default @Nullable String returning(String update, String column) {
    return null;
  }

  /**
   * Returns an expression with the value of another one, which the connection remembers for {@link
   * #remembered}. Takes the place of {@link #returning} in autocommit mode. By default there is
   * none.
   */
  default @Nullable String remembering(String expression) {
    return null;
  }

  /** Returns the query for the value that the connection remembers. */
  default String remembered() {
    throw new UnsupportedOperationException(name() + " remembers no value");
  }

  /**
   * Returns an insert that changes nothing if the row exists, where a duplicate key would end the
   * transaction. Defaults to the insert itself.
   */
  default String ignoringDuplicates(String insert) {
    return insert;
  }

  /**
   * Returns one statement in autocommit that moves a counter and writes rows, or does neither. It
   * returns one row if it has moved the counter. By default there is none.
   *
   * @param move an update of one counter, whose parameters come first
   * @param column the quoted name of the counter's column
   * @param insert {@code INSERT INTO … SELECT} without a condition, or {@code INSERT INTO … VALUES}
   *     if there are no {@link #arrayTypes}
   */
  default @Nullable String moveAndInsert(String move, String column, String insert) {
    return null;
  }

  /**
   * Returns a statement after which the next one sees only what is committed, in any session. By
   * default there is none, because every statement does.
   */
  default @Nullable String readCommitted() {
    return null;
  }

  /** Returns the values that rows may be sent with as arrays, to be read by {@code unnest}. */
  default ArrayTypes arrayTypes() {
    return ArrayTypes.NONE;
  }

  /** Returns the statements on sequences of the database itself. By default there are none. */
  default @Nullable NativeSequenceSql nativeSequences() {
    return null;
  }

  /**
   * Returns whether the driver may keep a prepared statement for each SQL text, without a limit.
   * Defaults to true.
   */
  default boolean cachesPreparedStatements() {
    return true;
  }

  /**
   * Returns whether the driver blocks the calling thread. Its connections are then acquired, used
   * and closed on {@code Schedulers.boundedElastic()}; a pool opens them on a thread that it
   * chooses. Defaults to false.
   */
  default boolean isBlocking() {
    return false;
  }

  /**
   * Returns whether each write needs an explicit transaction, although the connection reports
   * autocommit. Defaults to false.
   */
  default boolean writesInTransactions() {
    return false;
  }

  /**
   * Classifies one failure, without its causes. Defaults to the standard SQLSTATEs and the classes
   * of {@link R2dbcException}. A conflict, a duplicate key, a refusal and a missing table must mean
   * that the statement had no effect, also in autocommit.
   *
   * @return its kind; {@link ErrorCategory#OTHER} if it is unknown
   */
  default ErrorCategory kind(Throwable failure) {
    return SqlStates.STANDARD.kind(failure);
  }

  /**
   * Classifies a failure by itself or, failing that, by its causes.
   *
   * @param failure the failure that the driver reported
   * @return its {@link #kind}; {@link ErrorCategory#OTHER} if it is unknown
   */
  default ErrorCategory failure(Throwable failure) {
    return Failures.kind(this, failure);
  }

  /**
   * Returns whether a failure of this kind may be the connection's fault, which is then closed.
   * Defaults to true for {@link ErrorCategory#CONNECTION_LOST} and {@link ErrorCategory#OTHER}.
   */
  default boolean shouldEvict(ErrorCategory kind) {
    return kind == ErrorCategory.CONNECTION_LOST || kind == ErrorCategory.OTHER;
  }
}
