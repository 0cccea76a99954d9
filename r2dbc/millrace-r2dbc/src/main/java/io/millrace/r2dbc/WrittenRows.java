package io.millrace.r2dbc;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds out whether the rows of a commit in doubt are in the database. It reads them back by their
 * keys.
 *
 * @param table the quoted table
 * @param key the columns that identify a row
 */
record WrittenRows(R2dbcDialect dialect, String table, List<String> key) {

  /** The most columns that a key may have; most databases allow fewer. */
  static final int MOST_KEY_COLUMNS = 32;

  /** The most comparisons of a query. */
  private static final int MOST_COMPARISONS = 450;

  /**
   * For each row that is found, whether it has the values that were sent.
   *
   * @param connection in autocommit
   * @return Errors: {@link GroupFailedException} if the rows do not tell whether the group was
   *     written, or the driver's
   */
  <T> Mono<Map<PreparedInsert<T>, Boolean>> read(
      Connection connection, List<PreparedInsert<T>> group) {
    return Flux.fromIterable(InsertStatements.byColumns(group))
        .concatMap(same -> Flux.fromIterable(same).buffer(MOST_COMPARISONS / (key.size() + 1)))
        .concatMap(some -> readCommitted(connection).thenMany(rows(connection, some)))
        .collect(
            IdentityHashMap::new,
            (all, found) ->
                found.forEach((row, same) -> all.merge(row, same, Boolean::logicalAnd)));
  }

  /** The outcome of each row of a group, by what {@link #read} found; null if one is missing. */
  static <T> @Nullable List<InsertOutcome<T>> outcomes(
      List<PreparedInsert<T>> group, Map<PreparedInsert<T>, Boolean> found) {
    return found.keySet().containsAll(group)
        ? group.stream().map(row -> outcome(row, Boolean.TRUE.equals(found.get(row)))).toList()
        : null;
  }

  /**
   * Fails if the key of a row depends on the row's number. Such a key could find a row of another
   * group.
   *
   * @param one the rows, perhaps with numbers
   * @param other the same rows with other numbers
   */
  void requireSameKeys(
      List<? extends PreparedInsert<?>> one, List<? extends PreparedInsert<?>> other) {
    if (!haveSameKeys(one, other)) {
      throw notComparable(
          "the key of a row depends on its number, so the row cannot be looked for or written"
              + " again");
    }
  }

  /** Whether the rows of a group have the same keys with other numbers. */
  boolean haveSameKeys(
      List<? extends PreparedInsert<?>> one, List<? extends PreparedInsert<?>> other) {
    for (int i = 0; i < one.size(); i++) {
      for (String column : key) {
        Object part = keyPart(one.get(i), column);
        Object same = keyPart(other.get(i), column);
        if (!part.equals(same)
            && !ColumnValues.comparable(part).equals(ColumnValues.comparable(same))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether rows, all with the same columns, have keys that are not null. */
  boolean haveKeys(List<? extends PreparedInsert<?>> rows) {
    int[] indexes = key.stream().mapToInt(rows.get(0).columns()::indexOf).toArray();
    for (int index : indexes) {
      if (index < 0
          || rows.stream().anyMatch(row -> ColumnValues.content(row.values().get(index)) == null)) {
        return false;
      }
    }
    return true;
  }

  private static <T> InsertOutcome<T> outcome(PreparedInsert<T> row, boolean same) {
    return same
        ? new Committed<>(row.row(), null)
        : new Unknown<>(
            row.row(),
            new IllegalStateException(
                "the commit was not answered, and the row found has other values"));
  }

  private List<Object> keyOf(PreparedInsert<?> row) {
    return key.stream().map(column -> ColumnValues.comparable(keyPart(row, column))).toList();
  }

  private static Object keyPart(PreparedInsert<?> row, String column) {
    if (!row.columns().contains(column)) {
      throw notComparable("column " + LogSafe.quote(column) + " of the key is not in the row");
    }
    Object part = ColumnValues.content(row.value(column));
    if (part == null) {
      throw notComparable("column " + LogSafe.quote(column) + " of the key is null");
    }
    return part;
  }

  private <T> Flux<Map<PreparedInsert<T>, Boolean>> rows(
      Connection connection, List<PreparedInsert<T>> sameColumns) {
    return Flux.defer(
        () -> {
          Map<List<Object>, List<PreparedInsert<T>>> byKey =
              sameColumns.stream().collect(Collectors.groupingBy(this::keyOf));
          List<PreparedInsert<T>> distinct =
              byKey.values().stream().map(same -> same.get(0)).toList();
          return Results.rows(
              select(connection, distinct), found -> compare(byKey, distinct.get(0), found));
        });
  }

  /** The next statement finds no row of a commit that may still be lost. */
  private Mono<Void> readCommitted(Connection connection) {
    String statement = dialect.readCommitted();
    return statement == null
        ? Mono.empty()
        : Mono.defer(() -> Results.completion(connection.createStatement(statement)));
  }

  private Statement select(Connection connection, List<? extends PreparedInsert<?>> rows) {
    StringJoiner columns = new StringJoiner(", ", "SELECT ", " FROM " + table + " WHERE ");
    rows.get(0).columns().forEach(column -> columns.add(dialect.quoteColumn(column)));
    Object[] parameters =
        rows.stream()
            .flatMap(row -> key.stream().map(row::value))
            .map(ColumnValues::bindable)
            .toArray();
    return Results.statement(
        dialect, connection, columns + condition(parameters.length), parameters);
  }

  /** The condition that selects rows by their keys: {@code (a = ? AND b = ?) OR …}. */
  private String condition(int parameters) {
    StringJoiner rows = new StringJoiner(" OR ");
    for (int first = 0; first < parameters; first += key.size()) {
      StringJoiner parts = new StringJoiner(" AND ", "(", ")");
      for (int i = 0; i < key.size(); i++) {
        parts.add(dialect.quoteColumn(key.get(i)) + " = " + dialect.marker(first + i));
      }
      rows.add(parts.toString());
    }
    return rows.toString();
  }

  /**
   * Compares a row found with the rows sent. Fails if it has none of their keys: the row that was
   * stored under another key would otherwise seem to be missing.
   */
  private <T> Map<PreparedInsert<T>, Boolean> compare(
      Map<List<Object>, List<PreparedInsert<T>>> byKey, PreparedInsert<T> any, Readable found) {
    List<Object> foundKey = new ArrayList<>();
    for (String column : key) {
      int index = any.columns().indexOf(column);
      Object part = ColumnValues.read(found, index, any.values().get(index));
      foundKey.add(part == null ? Optional.empty() : ColumnValues.comparable(part));
    }
    List<PreparedInsert<T>> rows = byKey.get(foundKey);
    if (rows == null) {
      throw notComparable(
          "the database spells the key "
              + key.stream().map(LogSafe::name).toList()
              + " of a row differently from what was sent");
    }
    Map<PreparedInsert<T>, Boolean> same = new IdentityHashMap<>();
    rows.forEach(row -> same.put(row, isSame(row, found)));
    return same;
  }

  private static boolean isSame(PreparedInsert<?> row, Readable found) {
    for (int i = 0; i < row.values().size(); i++) {
      Object sent = row.values().get(i);
      Object stored = ColumnValues.read(found, i, sent);
      if (!ColumnValues.isSame(ColumnValues.content(sent), stored)) {
        return false;
      }
    }
    return true;
  }

  /** The failure of a look-up that does not tell whether the rows were written. */
  private static GroupFailedException notComparable(String why) {
    return new GroupFailedException(Kind.UNKNOWN, new IllegalStateException(why));
  }
}
