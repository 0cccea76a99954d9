package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The statements on a table of counters, in one dialect. Each runs on a connection. */
final class SequenceTable {

  /** The cells that {@link #add} writes: the key and the value. */
  static final int CELLS_OF_ADD = 2;

  /** The parameters of {@link #moveAndInsert} before those of the rows. */
  static final int MOVE_PARAMETERS = 3;

  private static final int LONGEST_SHOWN = 200;

  private final R2dbcDialect dialect;
  private final SequenceNames names;
  private final String ddl;
  private final String insertInto;
  private final String insert;
  private final String insertMissing;
  private final String select;
  private final String add;
  private final String raise;
  private final String compareAndSet;
  private final String value;
  private final String probe;
  private final @Nullable String addReturning;
  private final String addRemembering;
  private final String selectForUpdate;

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
    insertMissing = DialectFeatures.of(dialect).ignoringDuplicates(insert);
    select = "SELECT " + value + " FROM " + table + " WHERE " + name + " = " + first;
    String where = " WHERE " + name + " = " + second + " AND " + value;
    String update = "UPDATE " + table + " SET " + value + " = ";
    add = update + value + " + " + first + where + " <= " + third;
    raise = update + first + where + " < " + third;
    compareAndSet = update + first + where + " = " + third;
    probe = update + value + " WHERE FALSE";
    addReturning = dialect.returning(add, value);
    selectForUpdate = select + " FOR UPDATE";
    addRemembering =
        update + DialectFeatures.remembered(value + " + " + first) + where + " <= " + third;
  }

  R2dbcDialect dialect() {
    return dialect;
  }

  /** The names as they were given. */
  SequenceNames names() {
    return names;
  }

  /** The statement that creates the table unless it exists. */
  String ddl() {
    return ddl;
  }

  /** Whether {@link #addInAutocommit} can move a counter. */
  boolean addsInAutocommit() {
    return (addReturning != null && !dialect.writesInTransactions())
        || DialectFeatures.of(dialect).remembersUpdate();
  }

  /** Whether every write needs a transaction. */
  boolean writesInTransactions() {
    return dialect.writesInTransactions();
  }

  /** The next value; empty if there is no counter. */
  Mono<Long> nextValue(Connection connection, String sequence) {
    return value(sequence, () -> dialect.statement(connection, select, sequence));
  }

  /** The state of the counter; an error if there is no counter. */
  Mono<SequenceState> state(Connection connection, String sequence) {
    return nextValue(connection, sequence)
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
            ? value(sequence, () -> dialect.statement(connection, addReturning, values))
            : updateThen(
                () -> dialect.statement(connection, add, values), nextValue(connection, sequence)));
  }

  /**
   * The same inside a transaction of the application.
   *
   * <p>MySQL ends a transaction that lost a deadlock, and the driver does not notice. A later
   * statement would commit by itself. So the first statement only locks the row. Its answer tells
   * the driver whether the transaction lives, and only then the counter moves. It moves only from
   * the value that was read. Otherwise, if a statement of the application came in between and lost
   * a deadlock, another transaction could take the same values. A connection's remembered value is
   * of no use here, because the application may send statements in between.
   *
   * @param requireTransaction throws if the driver reports that there is no transaction
   */
  Mono<SequenceState> addInTransaction(
      Connection connection, String sequence, long size, Runnable requireTransaction) {
    requireTransaction.run();
    if (!DialectFeatures.of(dialect).remembersUpdate()) {
      return add(connection, sequence, size);
    }
    return value(sequence, () -> dialect.statement(connection, selectForUpdate, sequence))
        .map(next -> new SequenceState(sequence, next))
        .switchIfEmpty(Mono.error(() -> counterNotFound(sequence)))
        .delayUntil(
            current -> {
              requireTransaction.run();
              long next = current.advance(size).nextValue(); // fails if they do not fit
              return compareAndSet(connection, sequence, current.nextValue(), next)
                  .filter(moved -> moved)
                  .switchIfEmpty(Mono.error(() -> transactionLost(sequence)));
            })
        .doOnNext(state -> requireTransaction.run());
  }

  /**
   * Creates a counter inside a transaction of the application, unless it exists. If another
   * transaction is creating it, waits for its end.
   *
   * @return false if the database refused a duplicate, which on some databases ends the
   *     transaction; true otherwise, also if the statement ignored an existing counter
   */
  Mono<Boolean> createInTransaction(
      Connection connection, String sequence, long startValue, Runnable requireTransaction) {
    return Mono.defer(
            () -> {
              requireTransaction.run();
              return Results.completion(
                  dialect.statement(connection, insertMissing, sequence, startValue));
            })
        .thenReturn(true)
        .onErrorReturn(
            failure -> Failures.kind(dialect, failure) == FailureKind.DUPLICATE_KEY, false);
  }

  private static IllegalStateException transactionLost(String sequence) {
    return new IllegalStateException(
        "the counter of sequence "
            + ShownText.quote(sequence)
            + " changed although the transaction had locked it, so the database has ended the"
            + " transaction: roll it back, and run it again");
  }

  /**
   * The same outside a transaction, on a connection that nothing else uses: another statement that
   * is sent in between could change what the connection remembers.
   */
  Mono<SequenceState> addInAutocommit(Connection connection, String sequence, long size) {
    if (!DialectFeatures.of(dialect).remembersUpdate()) {
      return add(connection, sequence, size);
    }
    return before(
        connection,
        sequence,
        size,
        updateThen(
            () -> dialect.statement(connection, addRemembering, addition(sequence, size)),
            value(sequence, () -> dialect.statement(connection, DialectFeatures.remembered()))));
  }

  /** The parameters of a statement that moves a counter. */
  private static Object[] addition(String sequence, long size) {
    return new Object[] {size, sequence, SequenceState.largestNextValue(size)};
  }

  private Mono<Long> value(String sequence, Supplier<Statement> statement) {
    return Mono.defer(() -> Results.firstValue(statement.get(), Object.class))
        .map(found -> value(sequence, found));
  }

  /**
   * Converts what a query for a counter returned. Drivers convert numbers that no {@code long}
   * holds without an error, and a {@code DOUBLE} does not hold every {@code long}.
   */
  private long value(String sequence, Object found) {
    if (found instanceof Number && !(found instanceof Double) && !(found instanceof Float)) {
      try {
        return new BigDecimal(found.toString()).longValueExact();
      } catch (ArithmeticException tooLargeOrFraction) {
        // is refused
      }
    }
    throw new SequenceStoreException(
        sequence,
        "cannot use the value "
            + ShownText.quote(found.toString())
            + " in column "
            + ShownText.name(names.valueColumn())
            + " of table "
            + ShownText.name(names.table())
            + ": a counter is a whole number of 64 bits, in a column of type BIGINT or INT64",
        null);
  }

  /** Emits the value if the update moved a counter. */
  private static Mono<Long> updateThen(Supplier<Statement> update, Mono<Long> value) {
    return Mono.defer(() -> Results.rowsUpdated(update.get()))
        .filter(written -> written > 0)
        .flatMap(written -> value);
  }

  /** The state of a counter before it moved, or the reason why it did not move. */
  private Mono<SequenceState> before(
      Connection connection, String sequence, long size, Mono<Long> after) {
    return after
        .map(next -> new SequenceState(sequence, next - size))
        .switchIfEmpty(state(connection, sequence).flatMap(current -> failNotMoved(current, size)));
  }

  /**
   * A statement that changes nothing, and fails if the connection's transaction is lost. Null where
   * it is not needed. Spanner's driver answers it where it would never answer a query.
   */
  @Nullable Mono<Void> probe(Connection connection) {
    return dialect.writesInTransactions()
        ? Mono.defer(() -> Results.completion(dialect.statement(connection, probe)))
        : null;
  }

  /**
   * Fails with the reason why no row was updated. Either the values do not fit below the largest
   * value, or only the second statement found the counter. The second case has to be retried.
   */
  private static Mono<SequenceState> failNotMoved(SequenceState current, long size) {
    return Mono.fromRunnable(() -> current.block(size))
        .then(Mono.error(() -> new CounterChangedException(current.name())));
  }

  /**
   * Moves the counter up to a value unless it is there or beyond, and emits its state after. Reads
   * it first: databases compare and convert what is no number of 64 bits in their own ways.
   */
  Mono<SequenceState> raise(Connection connection, String sequence, long nextValue) {
    return state(connection, sequence)
        .flatMap(
            current ->
                current.nextValue() < nextValue
                    ? raiseNumber(connection, sequence, nextValue)
                    : Mono.just(current));
  }

  private Mono<SequenceState> raiseNumber(Connection connection, String sequence, long nextValue) {
    return Mono.defer(
            () ->
                Results.rowsUpdated(
                    dialect.statement(connection, raise, nextValue, sequence, nextValue)))
        .flatMap(
            written ->
                written > 0
                    ? Mono.just(new SequenceState(sequence, nextValue))
                    : state(connection, sequence));
  }

  /** Moves the counter if it has the expected value; an error if there is no counter. */
  Mono<Boolean> compareAndSet(Connection connection, String sequence, long expected, long next) {
    return Mono.defer(
            () ->
                Results.rowsUpdated(
                    dialect.statement(connection, compareAndSet, next, sequence, expected)))
        .flatMap(
            written ->
                written > 0 ? Mono.just(true) : state(connection, sequence).thenReturn(false));
  }

  /**
   * A statement that moves a counter if it has the expected value, and then writes rows, each with
   * one number.
   */
  Statement moveAndInsert(
      Connection connection,
      MoveAndInsert form,
      SequenceState before,
      SequenceState after,
      String insert) {
    return dialect.statement(
        connection,
        form.statement(compareAndSet, value, insert, dialect.marker(0) + " - " + dialect.marker(2)),
        after.nextValue(),
        before.name(),
        before.nextValue());
  }

  /** The state of a counter in a row with its name and its value. */
  SequenceState state(Readable row) {
    String sequence = Objects.requireNonNull(row.get(0, String.class), "a name");
    return new SequenceState(
        sequence, value(sequence, Objects.requireNonNull(row.get(1), "a value")));
  }

  /** Creates the counter unless it exists; false if it does. */
  Mono<Boolean> create(Connection connection, String sequence, long startValue) {
    return nextValue(connection, sequence)
        .map(next -> false)
        .switchIfEmpty(
            Mono.defer(
                    () ->
                        Results.completion(
                            dialect.statement(connection, insert, sequence, startValue)))
                .thenReturn(true));
  }

  SequenceNotFoundException counterNotFound(String sequence) {
    return new SequenceNotFoundException(
        sequence,
        "table " + ShownText.name(names.table()),
        canBeShownInSql(sequence)
            ? insertOf(sequence) + " (or call create)"
            : "call create with this name",
        null);
  }

  SequenceNotFoundException tableNotFound(String sequence, Throwable cause) {
    return new SequenceNotFoundException(
        sequence,
        "table " + ShownText.name(names.table()) + ", which does not exist",
        canBeShownInSql(sequence)
            ? ddl + "; " + insertOf(sequence) + " (or call createTable, and then create)"
            : "call createTable, and then create with this name",
        cause);
  }

  /** Whether a name can stand as a literal in the SQL of any database, and is short enough. */
  private static boolean canBeShownInSql(String sequence) {
    return sequence.length() <= LONGEST_SHOWN
        && Identifiers.isText(sequence)
        && sequence.chars().noneMatch(c -> c == '\'' || c == '\\')
        && sequence.codePoints().allMatch(ShownText::isPlain);
  }

  private String insertOf(String sequence) {
    return insertInto + "'" + sequence + "', 1)";
  }
}
