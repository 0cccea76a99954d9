package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The statements on a table of counters, in one dialect. Each runs on a connection. */
final class SequenceTable {

  /** The parameters of {@link #moveAndInsert} before those of the rows. */
  static final int MOVE_PARAMETERS = 3;

  /** How often one call reads the counter, while other calls of its transaction move it. */
  private static final int MOST_READS = 1_000;

  /** Names that can stand as a literal in the SQL of any database, and are short enough. */
  private static final Pattern CAN_BE_SHOWN = Pattern.compile("[\\p{L}\\p{N} ._:/#@$-]{1,200}");

  private final R2dbcDialect dialect;
  private final SequenceNames names;
  private final String ddl;
  private final String insertInto;
  private final String insert;
  private final String insertMissing;
  private final String select;
  private final String add;
  private final String compareAndSet;
  private final String value;
  private final @Nullable String addReturning;
  private final @Nullable String addRemembering;
  private final String selectInTransaction;

  SequenceTable(R2dbcDialect dialect, SequenceNames names) {
    this.dialect = dialect;
    this.names = names;
    String table = dialect.quote(names.table());
    String name = dialect.quoteColumn(names.nameColumn());
    value = dialect.quoteColumn(names.valueColumn());
    String first = dialect.marker(0);
    String second = dialect.marker(1);
    String third = dialect.marker(2);
    ddl = dialect.createTable(table, name, value, names.nameLength());
    insertInto = "INSERT INTO " + table + " (" + name + ", " + value + ") VALUES (";
    insert = insertInto + first + ", " + second + ")";
    insertMissing = dialect.ignoringDuplicates(insert);
    select = "SELECT " + value + " FROM " + table + " WHERE " + name + " = " + first;
    String where = " WHERE " + name + " = " + second + " AND " + value;
    String update = "UPDATE " + table + " SET " + value + " = ";
    add = update + value + " + " + first + where + " <= " + third;
    compareAndSet = update + first + where + " = " + third;
    addReturning = dialect.returning(add, value);
    String remembering = dialect.remembering(value + " + " + first);
    addRemembering = remembering == null ? null : update + remembering + where + " <= " + third;
    selectInTransaction = remembering == null ? select : select + " FOR UPDATE";
  }

  R2dbcDialect dialect() {
    return dialect;
  }

  /** The statement that creates the table unless it exists. */
  String ddl() {
    return ddl;
  }

  /** Whether {@link #addInAutocommit} can move a counter. */
  boolean addsInAutocommit() {
    return (addReturning != null && !dialect.writesInTransactions()) || addRemembering != null;
  }

  /**
   * Whether calls of one transaction may overlap. Not if a call takes several statements, because
   * it checks before each that the transaction lives; and not if the driver blocks, because several
   * threads would call it in no particular order.
   */
  boolean mayOverlap() {
    return addReturning != null && !dialect.isBlocking();
  }

  /** The next value; empty if there is no counter. */
  private Mono<Long> nextValue(Connection connection, String sequence) {
    return value(connection, select, sequence);
  }

  /** The state of the counter; an error if there is no counter. */
  Mono<SequenceState> state(Connection connection, String sequence) {
    return state(connection, select, sequence);
  }

  private Mono<SequenceState> state(Connection connection, String query, String sequence) {
    return value(connection, query, sequence)
        .map(next -> new SequenceState(sequence, next))
        .switchIfEmpty(Mono.error(() -> counterNotFound(sequence)));
  }

  /**
   * Moves the counter past {@code size} values, and emits its state before. A condition in the
   * statement prevents an overflow.
   */
  Mono<SequenceState> add(Connection connection, String sequence, long size) {
    Object[] values = addition(sequence, size);
    return before(
        connection,
        sequence,
        size,
        addReturning != null
            ? value(connection, addReturning, values)
            : updated(connection, add, values)
                .filter(moved -> moved)
                .flatMap(moved -> nextValue(connection, sequence)));
  }

  /**
   * The same outside a transaction, on a connection that nothing else uses: another statement that
   * is sent in between could change what the connection remembers.
   */
  Mono<SequenceState> addInAutocommit(Connection connection, String sequence, long size) {
    if (addRemembering == null) {
      return add(connection, sequence, size);
    }
    return before(
        connection,
        sequence,
        size,
        updated(connection, addRemembering, addition(sequence, size))
            .filter(moved -> moved)
            .flatMap(moved -> value(connection, dialect.remembered())));
  }

  /**
   * The same inside a transaction of the application, which may send other statements at any time.
   * Where no statement returns what it wrote, the counter moves only from the value that was read;
   * if a call of the same transaction has moved it meanwhile, it is read again.
   *
   * <p>MySQL ends a transaction that lost a deadlock, and the driver does not notice. A later
   * statement would commit by itself. So the first statement only locks the row. Its answer tells
   * the driver whether the transaction lives, and only then the counter moves. Without the lock, it
   * would read an old value in a transaction that has read before.
   */
  Mono<SequenceState> addInTransaction(Connection connection, String sequence, long size) {
    requireTransaction(connection, sequence);
    if (addReturning != null) {
      return add(connection, sequence, size);
    }
    return state(connection, selectInTransaction, sequence)
        .filterWhen(
            before -> {
              requireTransaction(connection, sequence);
              return isMoved(connection, before, before.advance(size));
            })
        .doOnNext(before -> requireTransaction(connection, sequence))
        .repeatWhenEmpty(times -> times.take(MOST_READS))
        .switchIfEmpty(Mono.error(() -> new CounterChangedException(sequence)));
  }

  /**
   * Creates a counter inside a transaction of the application, unless it exists. If another
   * transaction is creating it, waits for its end.
   *
   * @return false if the database refused a duplicate, which on some databases ends the
   *     transaction; true otherwise, also if the statement ignored an existing counter
   */
  Mono<Boolean> createInTransaction(Connection connection, String sequence, long startValue) {
    return Mono.defer(
            () -> {
              requireTransaction(connection, sequence);
              return Results.completion(
                  Results.statement(dialect, connection, insertMissing, sequence, startValue));
            })
        .thenReturn(true)
        .onErrorReturn(
            failure -> Failures.kind(dialect, failure) == ErrorCategory.DUPLICATE_KEY, false);
  }

  /** Fails if the driver reports that there is no transaction. */
  private static void requireTransaction(Connection connection, String sequence) {
    if (connection.isAutoCommit()) {
      throw new IllegalStateException(
          "values of sequence "
              + LogSafe.quote(sequence)
              + " can be taken without gaps in a transaction only, and the connection has none, or"
              + " the database has ended it after a failure: subscribe to beginTransaction() first,"
              + " or use a SequenceGenerator");
    }
  }

  /** The parameters of a statement that moves a counter. */
  private static Object[] addition(String sequence, long size) {
    return new Object[] {size, sequence, SequenceState.largestNextValue(size)};
  }

  private Mono<Long> value(Connection connection, String query, Object... parameters) {
    return Mono.defer(
            () ->
                Results.firstValue(
                    Results.statement(dialect, connection, query, parameters), Object.class))
        .map(this::number);
  }

  /** A floating-point number does not hold every {@code long}, so values could be issued twice. */
  private long number(Object found) {
    if (found instanceof Double || found instanceof Float || !(found instanceof Number number)) {
      throw new IllegalArgumentException(
          "column "
              + LogSafe.name(names.valueColumn())
              + " must be BIGINT, was "
              + found.getClass());
    }
    return number.longValue();
  }

  /** Whether an update moved a counter. */
  private Mono<Boolean> updated(Connection connection, String update, Object... parameters) {
    return Mono.defer(
            () -> Results.rowsUpdated(Results.statement(dialect, connection, update, parameters)))
        .map(rows -> rows > 0);
  }

  /**
   * The state of a counter before it moved, or the reason why no row was updated. Either the values
   * do not fit below the largest value, or only the second statement found the counter. The second
   * case has to be retried.
   */
  private Mono<SequenceState> before(
      Connection connection, String sequence, long size, Mono<Long> after) {
    return after
        .map(next -> new SequenceState(sequence, next - size))
        .switchIfEmpty(
            state(connection, sequence)
                .flatMap(
                    current -> {
                      current.block(size);
                      return Mono.error(new CounterChangedException(sequence));
                    }));
  }

  /** Moves the counter up to a value unless it is there or beyond, and emits its state after. */
  Mono<SequenceState> raise(Connection connection, String sequence, long nextValue) {
    return state(connection, sequence)
        .flatMap(
            current ->
                current.nextValue() >= nextValue
                    ? Mono.just(current)
                    : isMoved(connection, current, new SequenceState(sequence, nextValue))
                        .filter(moved -> moved)
                        .map(moved -> new SequenceState(sequence, nextValue))
                        .switchIfEmpty(Mono.error(() -> new CounterChangedException(sequence))));
  }

  /** Moves the counter if it has the expected value; an error if there is no counter. */
  Mono<Boolean> compareAndSet(Connection connection, SequenceState expected, SequenceState next) {
    return isMoved(connection, expected, next)
        .filter(moved -> moved)
        .switchIfEmpty(state(connection, expected.name()).thenReturn(false));
  }

  private Mono<Boolean> isMoved(Connection connection, SequenceState from, SequenceState to) {
    return updated(connection, compareAndSet, to.nextValue(), from.name(), from.nextValue());
  }

  /** A statement that moves a counter if it has the expected value, and then writes rows. */
  Statement moveAndInsert(
      Connection connection, SequenceState before, SequenceState after, String insert) {
    return Results.statement(
        dialect,
        connection,
        Objects.requireNonNull(
            dialect.moveAndInsert(compareAndSet, value, insert), "moveAndInsert"),
        after.nextValue(),
        before.name(),
        before.nextValue());
  }

  /** Creates the counter unless it exists; false if it does. */
  Mono<Boolean> create(Connection connection, String sequence, long startValue) {
    return nextValue(connection, sequence)
        .map(next -> false)
        .switchIfEmpty(
            Mono.defer(
                    () ->
                        Results.completion(
                            Results.statement(dialect, connection, insert, sequence, startValue)))
                .thenReturn(true));
  }

  /** The error to report for a failure of the driver. */
  Throwable translated(String sequence, Throwable failure) {
    return Failures.translated(dialect, sequence, failure, cause -> tableNotFound(sequence, cause));
  }

  private SequenceNotFoundException counterNotFound(String sequence) {
    return notFound(sequence, "", "", "create", null);
  }

  private SequenceNotFoundException tableNotFound(String sequence, Throwable cause) {
    return notFound(
        sequence, ", which does not exist", ddl + "; ", "createTable, and then create", cause);
  }

  private SequenceNotFoundException notFound(
      String sequence, String table, String ddl, String calls, @Nullable Throwable cause) {
    return new SequenceNotFoundException(
        sequence,
        "table " + LogSafe.name(names.table()) + table,
        CAN_BE_SHOWN.matcher(sequence).matches()
            ? ddl + insertInto + "'" + sequence + "', 1) (or call " + calls + ")"
            : "call " + calls + " with this name",
        cause);
  }
}
