package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The statements on a table of counters, in one dialect, each for a connection. */
final class SequenceTable {

  /** What {@link #add} adds to a commit: the key and the value. */
  static final int CELLS_OF_ADD = 2;

  private static final int LONGEST_SHOWN = 200;

  private final R2dbcDialect dialect;
  private final SequenceNames names;
  private final String ddl;
  private final String insertInto;
  private final String insert;
  private final String select;
  private final String add;
  private final String raise;
  private final String compareAndSet;
  private final String touch;
  private final @Nullable String addReturning;

  SequenceTable(R2dbcDialect dialect, SequenceNames names) {
    this.dialect = dialect;
    this.names = names;
    String table = dialect.quote(names.table());
    String name = dialect.quoteColumn(names.nameColumn());
    String value = dialect.quoteColumn(names.valueColumn());
    String first = dialect.markers().marker(0);
    String second = dialect.markers().marker(1);
    String third = dialect.markers().marker(2);
    ddl = dialect.createTable(table, name, value, names.nameLength());
    insertInto = "INSERT INTO " + table + " (" + name + ", " + value + ") VALUES (";
    insert = insertInto + first + ", " + second + ")";
    select = "SELECT " + value + " FROM " + table + " WHERE " + name + " = " + first;
    String row = " WHERE " + name + " = " + second + " AND " + value;
    String update = "UPDATE " + table + " SET " + value + " = ";
    add = update + value + " + " + first + row + " <= " + third;
    raise = update + first + row + " < " + third;
    compareAndSet = update + first + row + " = " + third;
    touch = update + value + " WHERE FALSE";
    addReturning = dialect.returning(add, value);
  }

  R2dbcDialect dialect() {
    return dialect;
  }

  /** The statement that creates the table unless it exists. */
  String ddl() {
    return ddl;
  }

  /** Whether a counter is moved by a single statement, which need not be in a transaction. */
  boolean addsInAutocommit() {
    return addReturning != null && !dialect.writesInTransactions();
  }

  /** Whether any other write needs a transaction. */
  boolean writesInTransactions() {
    return dialect.writesInTransactions();
  }

  /** The next value; empty if there is no row. */
  Mono<Long> nextValue(Connection connection, String sequence) {
    return Guarded.mono(
        () -> Rows.first(dialect.statement(connection, select, sequence), Long.class));
  }

  /** The counter; an error if there is no row. */
  Mono<SequenceState> state(Connection connection, String sequence) {
    return nextValue(connection, sequence)
        .map(next -> new SequenceState(sequence, next))
        .switchIfEmpty(Mono.error(() -> noRow(sequence)));
  }

  /**
   * Moves the counter behind {@code size} values, and tells where it stood. The guard in the
   * statement lets no counter overflow.
   */
  Mono<SequenceState> add(Connection connection, String sequence, long size) {
    Object[] values = {size, sequence, SequenceState.largestNextValue(size)};
    Mono<Long> after =
        addReturning != null
            ? Guarded.mono(
                () -> Rows.first(dialect.statement(connection, addReturning, values), Long.class))
            : Guarded.mono(() -> Rows.written(dialect.statement(connection, add, values)))
                .filter(written -> written > 0)
                .flatMap(written -> nextValue(connection, sequence));
    return after
        .map(next -> new SequenceState(sequence, next - size))
        .switchIfEmpty(state(connection, sequence).flatMap(standing -> notMoved(standing, size)));
  }

  /**
   * Fails if the connection's transaction is lost, and changes nothing. Null where that needs no
   * asking. Spanner's driver answers such a statement where it never answers a query.
   */
  @Nullable Mono<Void> probe(Connection connection) {
    return dialect.writesInTransactions()
        ? Guarded.mono(() -> Rows.run(dialect.statement(connection, touch)))
        : null;
  }

  /**
   * Why no row was written: the values do not fit; or the row was there for the second statement
   * only, and then the whole has to be tried again.
   */
  private static Mono<SequenceState> notMoved(SequenceState standing, long size) {
    return Mono.fromRunnable(() -> standing.block(size))
        .then(Mono.error(() -> new CounterChangedException(standing.sequence())));
  }

  /** Moves the counter to a value unless it is there or beyond, and tells where it stands then. */
  Mono<SequenceState> raise(Connection connection, String sequence, long nextValue) {
    return Guarded.mono(
            () ->
                Rows.written(dialect.statement(connection, raise, nextValue, sequence, nextValue)))
        .flatMap(
            written ->
                written > 0
                    ? Mono.just(new SequenceState(sequence, nextValue))
                    : state(connection, sequence));
  }

  /** Moves the counter if it stands where it is expected to; an error if there is no row. */
  Mono<Boolean> compareAndSet(Connection connection, String sequence, long expected, long next) {
    return Guarded.mono(
            () ->
                Rows.written(
                    dialect.statement(connection, compareAndSet, next, sequence, expected)))
        .flatMap(
            written ->
                written > 0 ? Mono.just(true) : state(connection, sequence).thenReturn(false));
  }

  /** Writes a row unless there is one. */
  Mono<Boolean> create(Connection connection, String sequence, long startValue) {
    return nextValue(connection, sequence)
        .map(next -> false)
        .switchIfEmpty(
            Guarded.mono(
                    () -> Rows.run(dialect.statement(connection, insert, sequence, startValue)))
                .thenReturn(true));
  }

  SequenceNotFoundException noRow(String sequence) {
    return new SequenceNotFoundException(
        sequence,
        "table " + ShownText.name(names.table()),
        canBeWritten(sequence)
            ? insertOf(sequence) + " (or call create)"
            : "call create with this name",
        null);
  }

  SequenceNotFoundException noTable(String sequence, Throwable cause) {
    return new SequenceNotFoundException(
        sequence,
        "table " + ShownText.name(names.table()) + ", which does not exist",
        canBeWritten(sequence)
            ? ddl + "; " + insertOf(sequence) + " (or call createTable, and then create)"
            : "call createTable, and then create with this name",
        cause);
  }

  /** Whether a name is the same in a statement, whatever the database, and short enough to show. */
  private static boolean canBeWritten(String sequence) {
    return sequence.length() <= LONGEST_SHOWN
        && Identifiers.isText(sequence)
        && sequence.chars().noneMatch(c -> c == '\'' || c == '\\' || c < ' ');
  }

  private String insertOf(String sequence) {
    return insertInto + "'" + sequence + "', 1)";
  }
}
