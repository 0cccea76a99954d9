package io.millrace.r2dbc;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
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

  /** Rows that one statement reads back, by their keys. Several rows may have the same key. */
  private record ReadBatch<T>(
      List<String> columns, Map<List<Object>, List<PreparedInsert<T>>> byKey) {

    PreparedInsert<T> first() {
      return byKey.values().iterator().next().get(0);
    }
  }

  /**
   * Looks for the rows of a group.
   *
   * @return empty if a row is missing, else the outcome of each row. Errors: {@link
   *     GroupFailedException} if the rows do not tell whether the group was written, or the
   *     driver's
   */
  <T> Mono<List<InsertOutcome<T>>> find(Connections connections, List<PreparedInsert<T>> group) {
    return Mono.defer(
            () -> connections.use(dialect, connection -> read(connection, batches(group))))
        .filter(found -> found.keySet().containsAll(group))
        .map(
            found ->
                group.stream()
                    .map(row -> outcome(row, Boolean.TRUE.equals(found.get(row))))
                    .toList());
  }

  /** The rows whose keys are in the database. Errors: as for {@link #find}. */
  <T> Mono<Set<PreparedInsert<T>>> existing(
      Connections connections, List<PreparedInsert<T>> group) {
    return Mono.defer(
            () -> connections.use(dialect, connection -> read(connection, batches(group))))
        .map(Map::keySet);
  }

  /**
   * The rows that their own transaction sees in the database as it has sent them. Errors: as for
   * {@link #find}.
   */
  <T> Mono<Set<PreparedInsert<T>>> inTransaction(
      Connection connection, List<PreparedInsert<T>> group) {
    return Mono.fromSupplier(() -> batches(group))
        .flatMapIterable(Function.identity())
        .concatMap(some -> rows(connection, some))
        .flatMapIterable(Map::entrySet)
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .collect(() -> Collections.newSetFromMap(new IdentityHashMap<>()), Set::add);
  }

  /**
   * Fails if the rows of a group do not have the same keys whatever their numbers are: by its key a
   * row of another would be found.
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
            && !StoredValues.comparable(part).equals(StoredValues.comparable(same))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether rows, all with the same columns, have keys that are not null. */
  boolean haveKeys(List<? extends PreparedInsert<?>> rows) {
    List<String> columns = rows.get(0).columns();
    int[] indexes = key.stream().mapToInt(columns::indexOf).toArray();
    for (PreparedInsert<?> row : rows) {
      for (int index : indexes) {
        if (index < 0 || InsertValue.content(row.values().get(index)) == null) {
          return false;
        }
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

  private <T> List<ReadBatch<T>> batches(List<PreparedInsert<T>> group) {
    Map<List<String>, Map<List<Object>, List<PreparedInsert<T>>>> byColumns = new LinkedHashMap<>();
    for (PreparedInsert<T> row : group) {
      byColumns
          .computeIfAbsent(row.columns(), any -> new LinkedHashMap<>())
          .computeIfAbsent(keyOf(row), any -> new ArrayList<>())
          .add(row);
    }
    int maxKeys = MOST_COMPARISONS / (key.size() + 1);
    List<ReadBatch<T>> batches = new ArrayList<>();
    byColumns.forEach(
        (columns, byKey) -> {
          Map<List<Object>, List<PreparedInsert<T>>> some = new HashMap<>();
          for (Map.Entry<List<Object>, List<PreparedInsert<T>>> entry : byKey.entrySet()) {
            some.put(entry.getKey(), entry.getValue());
            if (some.size() == maxKeys) {
              batches.add(new ReadBatch<>(columns, some));
              some = new HashMap<>();
            }
          }
          if (!some.isEmpty()) {
            batches.add(new ReadBatch<>(columns, some));
          }
        });
    return batches;
  }

  private List<Object> keyOf(PreparedInsert<?> row) {
    return key.stream().map(column -> StoredValues.comparable(keyPart(row, column))).toList();
  }

  private static Object keyPart(PreparedInsert<?> row, String column) {
    if (!row.columns().contains(column)) {
      throw notComparable("column " + LogSafe.quote(column) + " of the key is not in the row");
    }
    Object part = InsertValue.content(row.value(column));
    if (part == null) {
      throw notComparable("column " + LogSafe.quote(column) + " of the key is null");
    }
    return part;
  }

  /** For each row that is found, whether it has the values that were sent. */
  private <T> Mono<Map<PreparedInsert<T>, Boolean>> read(
      Connection connection, List<ReadBatch<T>> batches) {
    return Flux.fromIterable(batches)
        .concatMap(some -> readCommitted(connection).thenMany(rows(connection, some)))
        .reduce(
            new IdentityHashMap<>(),
            (all, found) -> {
              found.forEach((row, same) -> all.merge(row, same, Boolean::logicalAnd));
              return all;
            });
  }

  /** For each row of a batch that is found, whether it has the values that were sent. */
  private <T> Flux<Map<PreparedInsert<T>, Boolean>> rows(
      Connection connection, ReadBatch<T> batch) {
    return Flux.<Result>defer(() -> Flux.from(select(connection, batch).execute()))
        .concatMap(result -> Results.rows(result, found -> compare(batch, found)));
  }

  /** The next statement finds no row of a commit that may still be lost. */
  private Mono<Void> readCommitted(Connection connection) {
    String statement = dialect.readCommitted();
    return statement == null
        ? Mono.empty()
        : Mono.defer(() -> Results.completion(connection.createStatement(statement)));
  }

  private <T> Statement select(Connection connection, ReadBatch<T> batch) {
    StringJoiner columns = new StringJoiner(", ", "SELECT ", " FROM " + table + " WHERE ");
    batch.columns().forEach(column -> columns.add(dialect.quoteColumn(column)));
    List<Object> parameters = new ArrayList<>();
    for (List<PreparedInsert<T>> same : batch.byKey().values()) {
      key.forEach(column -> parameters.add(same.get(0).value(column)));
    }
    Statement statement = connection.createStatement(columns + condition(parameters.size()));
    for (int i = 0; i < parameters.size(); i++) {
      dialect.bind(statement, i, InsertValue.bindable(parameters.get(i)));
    }
    return statement;
  }

  /** The condition that selects rows by their keys: {@code a IN (?, ?)}, or equal columns. */
  private String condition(int parameters) {
    if (key.size() == 1) {
      return dialect.quoteColumn(key.get(0))
          + " IN ("
          + InsertStatements.markers(dialect, 0, parameters)
          + ")";
    }
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

  /** Fails if the row found has none of the keys, because its row would then seem to be missing. */
  private <T> Map<PreparedInsert<T>, Boolean> compare(ReadBatch<T> batch, Readable found) {
    List<Object> foundKey = new ArrayList<>();
    for (String column : key) {
      Object part =
          StoredValues.read(
              found,
              batch.columns().indexOf(column),
              InsertValue.contentType(batch.first().value(column)));
      foundKey.add(part == null ? Optional.empty() : StoredValues.comparable(part));
    }
    List<PreparedInsert<T>> rows = batch.byKey().get(foundKey);
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
      Object stored = StoredValues.read(found, i, InsertValue.contentType(sent));
      if (!StoredValues.isSame(InsertValue.content(sent), stored)) {
        return false;
      }
    }
    return true;
  }

  /** The rows that are read back do not tell whether a write whose answer was lost took effect. */
  private static GroupFailedException notComparable(String why) {
    return new GroupFailedException(Kind.UNKNOWN, new IllegalStateException(why));
  }
}
