package io.millrace.r2dbc;

import io.millrace.insert.spi.GroupFailedException;
import io.millrace.r2dbc.GroupBody.Expected;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes rows with statements of several rows each. Rows that set the same columns share
 * statements. There are two forms:
 *
 * <ul>
 *   <li>Arrays, one for each column: {@code INSERT INTO t (a, b) SELECT * FROM unnest($1::bigint[],
 *       ARRAY[$2, $3])}; see {@link ArrayColumn}. It takes a dialect with {@link ArrayTypes}, and
 *       is used for two rows and more.
 *   <li>Parameters: {@code INSERT INTO t (a, b) VALUES (?, ?), (?, ?)}.
 * </ul>
 *
 * <p>If the driver keeps a prepared statement for each SQL text, the number of texts is small: full
 * statements have the rows of a full group, or as many as fit, and the remaining rows are written
 * by statements whose numbers of rows are powers of two.
 */
final class InsertStatements {

  /** The most parameters of a text that the driver keeps, arrays not counted. */
  private static final int MOST_PARAMETERS = 4_000;

  /** The most rows of such a text. Some servers, such as SQL Server, refuse more. */
  private static final int MOST_ROWS = 1_000;

  /**
   * Rows that one statement writes.
   *
   * @param arrays the columns, if they are sent as arrays
   * @param counter the counter that the statement also moves; null if there is none
   */
  record OneStatement<T>(
      List<PreparedInsert<T>> rows,
      @Nullable List<ArrayColumn> arrays,
      @Nullable Expected counter) {

    List<String> columns() {
      return rows.get(0).columns();
    }

    /** How many of its parameters are before those of the rows. */
    int first() {
      return counter == null ? 0 : SequenceTable.MOVE_PARAMETERS;
    }
  }

  private final R2dbcDialect dialect;
  private final String table;
  private final WrittenRows written;
  private final int groupSize;
  private final boolean arrays;

  /**
   * The statements of a pipeline.
   *
   * @param table the name, not quoted
   * @param key the columns by which rows can be read back; empty if they cannot
   * @param groupSize the most rows of a group
   * @param arrays whether rows may be sent as arrays
   * @throws IllegalArgumentException if the database does not accept the table's name
   */
  InsertStatements(
      R2dbcDialect dialect, String table, List<String> key, int groupSize, boolean arrays) {
    this.dialect = dialect;
    this.table = dialect.quote(table);
    this.written = new WrittenRows(dialect, this.table, key);
    this.groupSize = groupSize;
    this.arrays = arrays && dialect.arrayTypes() != ArrayTypes.NONE;
  }

  R2dbcDialect dialect() {
    return dialect;
  }

  /** Reads rows of the table back. */
  WrittenRows written() {
    return written;
  }

  /** Whether one statement can also move a counter. */
  boolean movesAndInserts() {
    return dialect.moveAndInsert("", "", "") != null;
  }

  /**
   * Writes the rows, one statement after the other.
   *
   * @return Errors: the driver's, or {@link GroupFailedException} if a row cannot be sent
   */
  <T> Mono<Void> write(Connection connection, List<PreparedInsert<T>> rows) {
    return Flux.fromIterable(byColumns(rows))
        .concatMapIterable(sameColumns -> divided(sameColumns, null))
        .concatMap(one -> write(connection, one))
        .then();
  }

  /** Runs a statement that writes no row, but needs the table, its columns, and the right to it. */
  Mono<Void> writeNothing(Connection connection, List<String> columns) {
    return Mono.defer(
        () -> {
          String nulls = String.join(", ", Collections.nCopies(columns.size(), "NULL"));
          return Results.completion(
              connection.createStatement(
                  insertInto(columns)
                      + " SELECT "
                      + nulls
                      + " FROM (SELECT 1 AS a) AS one WHERE 1 = 0"));
        });
  }

  /** The one statement that writes all rows and moves their counter; null if it takes several. */
  <T> @Nullable OneStatement<T> one(List<PreparedInsert<T>> rows, @Nullable Expected counter) {
    if (byColumns(rows).size() > 1) {
      return null;
    }
    List<OneStatement<T>> statements = divided(rows, counter);
    OneStatement<T> one = statements.get(0);
    boolean canMove = // a SELECT has a condition, which VALUES have not
        one.arrays() != null || rows.size() == 1 || dialect.arrayTypes() == ArrayTypes.NONE;
    return statements.size() == 1 && (counter == null || canMove) ? one : null;
  }

  /**
   * Runs one statement; false if its counter did not have the expected value, and so nothing was
   * written.
   */
  <T> Mono<Boolean> run(Connection connection, OneStatement<T> one) {
    return Mono.defer(
        () -> {
          Expected counter = one.counter();
          if (counter == null) {
            return write(connection, one).thenReturn(true);
          }
          Statement statement =
              counter
                  .table()
                  .moveAndInsert(connection, counter.before(), counter.after(), text(one));
          return Results.firstValue(bind(statement, one), Object.class).hasElement();
        });
  }

  private <T> Mono<Void> write(Connection connection, OneStatement<T> one) {
    return Mono.defer(() -> Results.completion(bind(connection.createStatement(text(one)), one)));
  }

  static <T> Collection<List<PreparedInsert<T>>> byColumns(List<PreparedInsert<T>> rows) {
    Map<List<String>, List<PreparedInsert<T>>> byColumns = new LinkedHashMap<>();
    for (PreparedInsert<T> row : rows) {
      byColumns.computeIfAbsent(row.columns(), any -> new ArrayList<>()).add(row);
    }
    return byColumns.values();
  }

  /** Divides rows with the same columns among statements. */
  private <T> List<OneStatement<T>> divided(
      List<PreparedInsert<T>> sameColumns, @Nullable Expected counter) {
    List<ArrayColumn> columns =
        arrays && sameColumns.size() > 1 ? ArrayColumn.of(sameColumns, dialect.arrayTypes()) : null;
    OneStatement<T> all = new OneStatement<>(sameColumns, columns, counter);
    int parameters = dialect.maxParameters() - all.first();
    int ofRow = all.columns().size();
    if (ofRow > parameters) {
      throw new GroupFailedException(
          GroupFailedException.Kind.ROWS_REFUSED,
          new IllegalArgumentException(
              String.format(
                  "a row may set at most %d columns in this database, and this one sets %d",
                  parameters, ofRow)));
    }
    if (columns != null) {
      ofRow = ArrayColumn.parametersOfRow(columns);
    }
    if (ofRow == 0) {
      return List.of(all);
    }
    List<List<PreparedInsert<T>>> parts =
        dialect.cachesPreparedStatements()
            ? inFewSizes(
                sameColumns,
                Math.max(
                    1,
                    Math.min(
                        Math.min(parameters, MOST_PARAMETERS) / ofRow,
                        Math.min(groupSize, MOST_ROWS))))
            : inFull(sameColumns, parameters / ofRow);
    return parts.stream().map(rows -> new OneStatement<>(rows, columns, counter)).toList();
  }

  private static <T> List<List<T>> inFull(List<T> rows, int most) {
    return IntStream.iterate(0, from -> from < rows.size(), from -> from + most)
        .mapToObj(from -> rows.subList(from, Math.min(from + most, rows.size())))
        .toList();
  }

  /** Statements of few different numbers of rows. */
  static <T> List<List<T>> inFewSizes(List<T> rows, int most) {
    List<List<T>> statements = new ArrayList<>();
    for (int from = 0; from < rows.size(); ) {
      int left = rows.size() - from;
      int to = from + (left >= most ? most : Integer.highestOneBit(left));
      statements.add(rows.subList(from, to));
      from = to;
    }
    return statements;
  }

  private <T> Statement bind(Statement statement, OneStatement<T> one) {
    List<ArrayColumn> columns = one.arrays();
    int index = one.first();
    try {
      if (columns == null) {
        for (PreparedInsert<T> row : one.rows()) {
          index = bind(statement, index, row.values());
        }
      } else {
        for (int column = 0; column < columns.size(); column++) {
          index = bind(statement, index, columns.get(column).parameters(one.rows(), column));
        }
      }
      return statement;
    } catch (RuntimeException rejected) {
      throw new GroupFailedException(GroupFailedException.Kind.ROWS_REFUSED, rejected);
    }
  }

  private int bind(Statement statement, int first, List<Object> values) {
    int index = first;
    for (Object value : values) {
      Class<?> ofNull = ColumnValues.typeOfNull(value);
      if (ofNull != null) {
        dialect.bindNull(statement, index++, ofNull);
      } else {
        dialect.bind(statement, index++, ColumnValues.bindable(value));
      }
    }
    return index;
  }

  /** The part of the text that writes rows. */
  private String text(OneStatement<?> one) {
    return insertInto(one.columns()) + source(one);
  }

  private String insertInto(List<String> columns) {
    StringJoiner names = new StringJoiner(", ", "INSERT INTO " + table + " (", ")");
    columns.forEach(column -> names.add(quoted(column)));
    return names.toString();
  }

  /** If the database does not accept the name, the rows are at fault. */
  private String quoted(String column) {
    try {
      return dialect.quoteColumn(column);
    } catch (IllegalArgumentException refused) {
      throw new GroupFailedException(GroupFailedException.Kind.ROWS_REFUSED, refused);
    }
  }

  /** The rows to insert. */
  private String source(OneStatement<?> one) {
    List<ArrayColumn> columns = one.arrays();
    if (columns != null) {
      return " SELECT * FROM "
          + ArrayColumn.unnest(columns, one.rows().size(), dialect, one.first());
    }
    int perRow = one.columns().size();
    if (one.counter() != null
        && one.rows().size() == 1
        && dialect.arrayTypes() != ArrayTypes.NONE) {
      return " SELECT " + markers(dialect, one.first(), perRow);
    }
    StringJoiner rows = new StringJoiner(", ", " VALUES ", "");
    for (int row = 0; row < one.rows().size(); row++) {
      rows.add("(" + markers(dialect, one.first() + row * perRow, perRow) + ")");
    }
    return rows.toString();
  }

  /** The markers of several parameters, from that one on, with commas between them. */
  static String markers(R2dbcDialect dialect, int first, int count) {
    StringJoiner markers = new StringJoiner(", ");
    for (int i = 0; i < count; i++) {
      markers.add(dialect.marker(first + i));
    }
    return markers.toString();
  }
}
