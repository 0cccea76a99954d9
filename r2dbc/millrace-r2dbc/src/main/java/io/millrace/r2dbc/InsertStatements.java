package io.millrace.r2dbc;

import io.millrace.insert.spi.GroupFailedException;
import io.millrace.internal.GuardedCall;
import io.millrace.r2dbc.GroupBody.Expected;
import io.millrace.r2dbc.GroupBody.KnownRows;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Statement;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes rows with statements of several rows each. Rows that set the same columns share
 * statements. There are two forms:
 *
 * <ul>
 *   <li>Arrays, one for each column: {@code INSERT INTO t (a, b) SELECT * FROM unnest($1::bigint[],
 *       $2::varchar[])}. All rows fit into one statement, whose text is the same for any number of
 *       rows. It takes a dialect with {@link ArrayTypes}, at least two rows, and values of one
 *       class in each column.
 *   <li>Parameters: {@code INSERT INTO t (a, b) VALUES (?, ?), (?, ?)}. If the driver keeps a
 *       prepared statement for each SQL text, the number of texts is small: full statements have as
 *       many rows as fit, and the remaining rows are written by statements whose numbers of rows
 *       are powers of two.
 * </ul>
 *
 * @param table the quoted table
 * @param arrays whether arrays may be used; changed by the first statement with arrays that
 *     succeeds
 */
record InsertStatements(R2dbcDialect dialect, String table, AtomicReference<Arrays> arrays) {

  /** Whether a server accepts statements with arrays. */
  enum Arrays {
    /** None has succeeded. Servers and proxies refuse them in many ways. */
    UNTRIED,
    ACCEPTED,
    OFF
  }

  /** The most parameters of a text that the driver keeps. */
  private static final int MOST_PARAMETERS = 1_000;

  /** Of a text that it does not keep. Servers refuse longer ones: MariaDB above 16 MB. */
  private static final long MOST_BYTES = 4_000_000;

  /**
   * SQLSTATEs of refusals that have nothing to do with arrays: a missing column, and prepared
   * statements that a proxy has lost or kept for another connection.
   */
  private static final Set<String> REFUSED_EITHER_WAY = Set.of("42703", "42P05", "26000");

  /**
   * The server or the driver does not accept a statement with arrays. It may accept the same rows
   * as parameters: another server that speaks PostgreSQL's protocol, or a driver that the
   * application has taught to bind a class of values as another type.
   */
  static final class ArraysRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ArraysRefusedException(Throwable refusal) {
      super("the database refused rows as arrays", refusal, false, false);
    }
  }

  /** A column that is sent as an array. */
  private record ArrayColumn(Class<?> valueClass, String elementType) {

    <T> Object values(List<PreparedInsert<T>> rows, int column) {
      @Nullable Object[] values = (Object[]) Array.newInstance(valueClass, rows.size());
      for (int row = 0; row < values.length; row++) {
        Object value = rows.get(row).values().get(column);
        values[row] = InsertValue.typeOfNull(value) == null ? value : null;
      }
      return values;
    }
  }

  /**
   * Rows that one statement writes.
   *
   * @param arrays the columns, if they are sent as arrays
   */
  private record Chunk<T>(List<PreparedInsert<T>> rows, @Nullable List<ArrayColumn> arrays) {}

  /**
   * One statement in autocommit.
   *
   * @param counter the counter that it also moves; null if there is none
   */
  record OneStatement<T>(Chunk<T> chunk, @Nullable Expected counter) {

    List<PreparedInsert<T>> rows() {
      return chunk.rows();
    }
  }

  /**
   * Writes the rows, one statement after the other. Errors: the driver's; {@link
   * GroupFailedException} if a row cannot be sent; {@link ArraysRefusedException}.
   */
  <T> Mono<Void> write(Connection connection, List<PreparedInsert<T>> rows) {
    return Flux.fromIterable(byColumns(rows))
        .concatMapIterable(sameColumns -> chunks(sameColumns, 0))
        .concatMap(chunk -> write(connection, chunk))
        .then();
  }

  /**
   * The one statement that writes all rows and moves their counter; null if it takes several.
   * Statements with arrays count only once one has succeeded.
   */
  <T> @Nullable OneStatement<T> one(KnownRows<T> known) {
    List<PreparedInsert<T>> rows = known.rows();
    boolean isNumbered = known.counter() != null;
    if (byColumns(rows).size() > 1) {
      return null;
    }
    List<Chunk<T>> chunks = chunks(rows, isNumbered ? SequenceTable.MOVE_PARAMETERS : 0);
    Chunk<T> first = chunks.get(0);
    boolean isAccepted =
        first.arrays() != null
            ? arrays.get() == Arrays.ACCEPTED
            : rows.size() == 1
                || !isNumbered
                || dialect.moveAndInsert() != MoveAndInsert.POSTGRESQL;
    return chunks.size() == 1 && isAccepted ? new OneStatement<>(first, known.counter()) : null;
  }

  /**
   * Runs one statement; false if its counter did not have the expected value, and so nothing was
   * written. The new value tells, because a trigger may drop the rows.
   */
  <T> Mono<Boolean> run(Connection connection, OneStatement<T> one) {
    Chunk<T> chunk = one.chunk();
    Expected counter = one.counter();
    if (counter == null) {
      return write(connection, chunk).thenReturn(true);
    }
    return GuardedCall.mono(
        () -> {
          List<PreparedInsert<T>> rows = chunk.rows();
          List<String> names = rows.get(0).columns();
          MoveAndInsert form = Objects.requireNonNull(dialect.moveAndInsert(), "form");
          int first = SequenceTable.MOVE_PARAMETERS;
          List<ArrayColumn> columns = chunk.arrays();
          String source =
              form == MoveAndInsert.MARIADB
                  ? values(first, names.size(), rows.size())
                  : columns == null
                      ? appendMarkers(new StringBuilder(" SELECT "), first, names.size())
                          + " FROM moved"
                      : " SELECT each.* FROM moved, " + unnest(first, columns) + " AS each";
          Statement statement =
              counter
                  .table()
                  .moveAndInsert(
                      connection, form, counter.before(), counter.after(), into(names) + source);
          if (columns == null) {
            bind(statement, first, rows);
          } else {
            bindArrays(statement, first, rows, columns);
          }
          return Results.firstValue(statement, Long.class).hasElement();
        });
  }

  private <T> Mono<Void> write(Connection connection, Chunk<T> chunk) {
    List<ArrayColumn> columns = chunk.arrays();
    if (columns == null) {
      return GuardedCall.mono(() -> Results.completion(parameters(connection, chunk.rows())));
    }
    return GuardedCall.<Void>mono(
            () -> Results.completion(arrays(connection, chunk.rows(), columns)))
        .doOnSuccess(written -> arrays.compareAndSet(Arrays.UNTRIED, Arrays.ACCEPTED))
        .onErrorMap(this::mayBeOfTheArrays, ArraysRefusedException::new);
  }

  /**
   * Whether the server may object to the arrays, and not to a value: SQLSTATEs 42 and 0A. Until a
   * statement with arrays has succeeded, any answer without another meaning.
   */
  private boolean mayBeOfTheArrays(Throwable failure) {
    if (!(failure instanceof R2dbcException refusal)) {
      return false;
    }
    String state = refusal.getSqlState();
    if (state == null || REFUSED_EITHER_WAY.contains(state)) {
      return false;
    }
    return switch (dialect.failure(refusal)) {
      case CONFLICT, CONNECTION_LOST, DUPLICATE_KEY, TABLE_MISSING, NOT_PERMITTED -> false;
      case REFUSED, OTHER ->
          arrays.get() == Arrays.UNTRIED
              ? !state.startsWith("22") && !state.startsWith("23")
              : state.startsWith("42") || state.startsWith("0A");
    };
  }

  /**
   * Divides rows with the same columns among statements.
   *
   * @param otherParameters how many parameters a statement has besides those of its rows
   */
  private <T> List<Chunk<T>> chunks(List<PreparedInsert<T>> sameColumns, int otherParameters) {
    List<ArrayColumn> columns =
        arrays.get() != Arrays.OFF && sameColumns.size() > 1 ? arrayColumns(sameColumns) : null;
    return columns != null
        ? List.of(new Chunk<>(sameColumns, columns))
        : withinParameters(
                sameColumns, dialect.maxParameters() - otherParameters, dialect.keepsStatements())
            .stream()
            .map(rows -> new Chunk<>(rows, null))
            .toList();
  }

  /** The columns as arrays; null if one of them cannot be an array. */
  private @Nullable List<ArrayColumn> arrayColumns(List<? extends PreparedInsert<?>> sameColumns) {
    List<ArrayColumn> arrays = new ArrayList<>();
    for (int column = 0; column < sameColumns.get(0).columns().size(); column++) {
      Class<?> valueClass = valueClass(sameColumns, column);
      String type = valueClass == null ? null : dialect.arrayTypes().of(valueClass);
      if (valueClass == null || type == null) {
        return null;
      }
      arrays.add(new ArrayColumn(valueClass, type));
    }
    return arrays;
  }

  /** The class of all values of a column; null if they differ. Nulls count only without values. */
  private static @Nullable Class<?> valueClass(List<? extends PreparedInsert<?>> rows, int column) {
    Class<?> ofValues = null;
    Class<?> ofNulls = null;
    boolean nullsDiffer = false;
    for (PreparedInsert<?> row : rows) {
      Object value = row.values().get(column);
      Class<?> ofNull = InsertValue.typeOfNull(value);
      if (ofNull != null) {
        nullsDiffer |= ofNulls != null && ofNulls != ofNull;
        ofNulls = ofNull;
      } else if (ofValues == null) {
        ofValues = value.getClass();
      } else if (ofValues != value.getClass()) {
        return null;
      }
    }
    return ofValues != null ? ofValues : nullsDiffer ? null : ofNulls;
  }

  static <T> Collection<List<PreparedInsert<T>>> byColumns(List<PreparedInsert<T>> rows) {
    List<String> columns = rows.get(0).columns();
    if (rows.stream().allMatch(row -> row.columns() == columns)) {
      return List.of(rows); // as the mapper makes them
    }
    Map<List<String>, List<PreparedInsert<T>>> byColumns = new LinkedHashMap<>();
    for (PreparedInsert<T> row : rows) {
      byColumns.computeIfAbsent(row.columns(), any -> new ArrayList<>()).add(row);
    }
    return byColumns.values();
  }

  /**
   * Divides rows with the same columns among statements with parameters.
   *
   * @param few whether there are to be few texts
   */
  static <T> List<List<PreparedInsert<T>>> withinParameters(
      List<PreparedInsert<T>> sameColumns, int maxParameters, boolean few) {
    int columns = sameColumns.get(0).columns().size();
    if (columns > maxParameters) {
      throw new GroupFailedException(
          GroupFailedException.Kind.ROW_AT_FAULT,
          new IllegalArgumentException(
              String.format(
                  "a row may set at most %d columns in this database, and this one sets %d",
                  maxParameters, columns)));
    }
    int most =
        Math.max(1, (few ? Math.min(maxParameters, MOST_PARAMETERS) : maxParameters) / columns);
    List<List<PreparedInsert<T>>> statements = new ArrayList<>();
    for (int from = 0; from < sameColumns.size(); ) {
      int left = sameColumns.size() - from;
      int to =
          few
              ? from + (left >= most ? most : Integer.highestOneBit(left))
              : withinBytes(sameColumns, from, from + Math.min(left, most));
      statements.add(sameColumns.subList(from, to));
      from = to;
    }
    return statements;
  }

  /** The end of the rows that one text may have, which has at least one. */
  private static int withinBytes(List<? extends PreparedInsert<?>> rows, int from, int most) {
    long bytes = rows.get(from).bytes();
    int to = from + 1;
    while (to < most && bytes + rows.get(to).bytes() <= MOST_BYTES) {
      bytes += rows.get(to++).bytes();
    }
    return to;
  }

  /** Creates a statement and binds an array for each column. */
  private <T> Statement arrays(
      Connection connection, List<PreparedInsert<T>> rows, List<ArrayColumn> columns) {
    Statement statement =
        connection.createStatement(
            into(rows.get(0).columns()) + " SELECT * FROM " + unnest(0, columns));
    bindArrays(statement, 0, rows, columns);
    return statement;
  }

  private String unnest(int first, List<ArrayColumn> columns) {
    StringJoiner source = new StringJoiner(", ", "unnest(", ")");
    for (int i = 0; i < columns.size(); i++) {
      source.add(dialect.markers().marker(first + i) + "::" + columns.get(i).elementType() + "[]");
    }
    return source.toString();
  }

  private <T> void bindArrays(
      Statement statement, int first, List<PreparedInsert<T>> rows, List<ArrayColumn> columns) {
    try {
      for (int i = 0; i < columns.size(); i++) {
        dialect.markers().bind(statement, first + i, columns.get(i).values(rows, i));
      }
    } catch (RuntimeException rejected) {
      throw new ArraysRefusedException(rejected);
    }
  }

  /** Creates a statement and binds a parameter for each value. */
  private <T> Statement parameters(Connection connection, List<PreparedInsert<T>> rows) {
    List<String> columns = rows.get(0).columns();
    Statement statement =
        connection.createStatement(into(columns) + values(0, columns.size(), rows.size()));
    bind(statement, 0, rows);
    return statement;
  }

  private <T> void bind(Statement statement, int first, List<PreparedInsert<T>> rows) {
    int index = first;
    for (PreparedInsert<T> row : rows) {
      for (Object value : row.values()) {
        bind(statement, index++, value);
      }
    }
  }

  /** Binds a value. If the driver rejects it, its row is at fault. */
  private void bind(Statement statement, int index, Object value) {
    try {
      Class<?> ofNull = InsertValue.typeOfNull(value);
      if (ofNull != null) {
        dialect.markers().bindNull(statement, index, ofNull);
      } else {
        dialect.markers().bind(statement, index, InsertValue.bindable(value));
      }
    } catch (RuntimeException rejected) {
      throw new GroupFailedException(GroupFailedException.Kind.ROW_AT_FAULT, rejected);
    }
  }

  private String into(List<String> columns) {
    StringJoiner names = new StringJoiner(", ", "INSERT INTO " + table + " (", ")");
    columns.forEach(column -> names.add(dialect.quoteColumn(column)));
    return names.toString();
  }

  private String values(int first, int columns, int rows) {
    StringBuilder text = new StringBuilder(" VALUES ");
    if (!dialect.markers().numbered()) {
      String row = appendMarkers(new StringBuilder("("), first, columns).append("), ").toString();
      return text.append(row.repeat(rows)).substring(0, text.length() - 2);
    }
    for (int row = 0; row < rows; row++) {
      text.append(row == 0 ? "(" : ", (");
      appendMarkers(text, first + row * columns, columns).append(')');
    }
    return text.toString();
  }

  private StringBuilder appendMarkers(StringBuilder text, int first, int count) {
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ", ").append(dialect.markers().marker(first + i));
    }
    return text;
  }
}
