package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Value;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.internal.LogSafe;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds out whether inserts whose commit was not answered are in the database, by reading the rows
 * that they would have made. So the inserts must have the whole primary key.
 */
final class WrittenRows {

  /** Inserts that can be read back by one request. */
  private record Shape(String table, List<String> columns) {

    static Shape of(Mutation insert) {
      if (insert.getOperation() != Mutation.Op.INSERT
          && insert.getOperation() != Mutation.Op.INSERT_OR_UPDATE) {
        throw notComparable(
            "it is unknown whether a mutation " + insert.getOperation() + " was applied");
      }
      return new Shape(insert.getTable(), List.copyOf(insert.asMap().keySet()));
    }
  }

  private final DatabaseClient client;
  private final PrimaryKeys keys;

  WrittenRows(DatabaseClient client) {
    this.client = client;
    this.keys = new PrimaryKeys(client);
  }

  /**
   * Looks for the row of each insert.
   *
   * @return the row of each insert; an insert without a row is not in the map. Errors: {@link
   *     GroupFailedException} if the rows do not tell whether the insert took effect, or what
   *     Spanner reports of the reads
   */
  Mono<Map<Mutation, WrittenRow>> find(List<Mutation> inserts) {
    return Flux.defer(
            () -> {
              Map<Shape, List<Mutation>> byShape = new LinkedHashMap<>();
              for (Mutation insert : inserts) {
                byShape.computeIfAbsent(Shape.of(insert), any -> new ArrayList<>()).add(insert);
              }
              return Flux.fromIterable(byShape.entrySet());
            })
        .concatMap(entry -> find(entry.getKey(), entry.getValue()))
        .reduce(
            new HashMap<>(),
            (all, found) -> {
              all.putAll(found);
              return all;
            });
  }

  /**
   * Finds out how to tell the rows of inserts apart: by their table and the values of its primary
   * key.
   *
   * @return returns the key of an insert into one of these tables, and throws if it does not have
   *     the whole key. Errors: as for {@link #find}
   */
  Mono<Function<Mutation, List<Object>>> keys(List<Mutation> inserts) {
    return Flux.fromIterable(inserts)
        .map(Mutation::getTable)
        .distinct()
        .concatMap(
            table ->
                keys.columnsOf(table)
                    .switchIfEmpty(Mono.error(() -> noTable(table)))
                    .map(columns -> Map.entry(table, columns)))
        .collectMap(Map.Entry::getKey, Map.Entry::getValue)
        .map(
            columns -> insert -> keyOf(insert, columns.getOrDefault(insert.getTable(), List.of())));
  }

  private static List<Object> keyOf(Mutation insert, List<String> key) {
    List<Value> values = List.copyOf(insert.asMap().values());
    List<Object> parts = new ArrayList<>(List.of(insert.getTable()));
    for (int position : positions(key, Shape.of(insert))) {
      parts.add(values.get(position));
    }
    return parts;
  }

  private static GroupFailedException noTable(String table) {
    return notComparable("there is no table " + LogSafe.quote(table));
  }

  private Mono<Map<Mutation, WrittenRow>> find(Shape shape, List<Mutation> inserts) {
    return keys.columnsOf(shape.table())
        .map(key -> positions(key, shape))
        .switchIfEmpty(Mono.error(() -> noTable(shape.table())))
        .flatMap(key -> find(shape, key, inserts));
  }

  /** The positions of the key's parts among an insert's columns. Case does not matter. */
  private static int[] positions(List<String> key, Shape shape) {
    return key.stream()
        .mapToInt(
            part ->
                IntStream.range(0, shape.columns().size())
                    .filter(i -> shape.columns().get(i).equalsIgnoreCase(part))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            notComparable(
                                String.format(
                                    "column '%s' of the primary key of '%s' is not in the insert",
                                    part, shape.table()))))
        .toArray();
  }

  private Mono<Map<Mutation, WrittenRow>> find(Shape shape, int[] key, List<Mutation> inserts) {
    KeySet.Builder wanted = KeySet.newBuilder();
    Map<Key, List<Mutation>> byKey = new HashMap<>();
    for (Mutation insert : inserts) {
      List<Value> values = List.copyOf(insert.asMap().values());
      Key insertKey = keyOf(values, key);
      wanted.addKey(insertKey);
      byKey.computeIfAbsent(insertKey, any -> new ArrayList<>()).add(insert);
    }
    return ClientRequest.read(
            client, once -> once.readAsync(shape.table(), wanted.build(), shape.columns()))
        .map(
            rows -> {
              Map<Mutation, WrittenRow> found = new HashMap<>();
              for (Struct row : rows) {
                List<Value> values = valuesOf(row);
                for (Mutation insert : insertsOf(shape, byKey, values, key)) {
                  found.put(insert, new WrittenRow(values));
                }
              }
              return found;
            });
  }

  /** Throws if the row has none of the requested keys. Otherwise the row would count as missing. */
  private static List<Mutation> insertsOf(
      Shape shape, Map<Key, List<Mutation>> byKey, List<Value> values, int[] key) {
    List<Mutation> inserts = byKey.get(keyOf(values, key));
    if (inserts == null) {
      throw notComparable(
          Arrays.stream(key)
              .mapToObj(i -> LogSafe.quote(shape.columns().get(i)))
              .collect(
                  Collectors.joining(
                      ", ",
                      "a value of the key, column ",
                      ", is written differently by table " + LogSafe.quote(shape.table()))));
    }
    return inserts;
  }

  private static List<Value> valuesOf(Struct row) {
    return IntStream.range(0, row.getColumnCount()).mapToObj(row::getValue).toList();
  }

  private static Key keyOf(List<Value> values, int[] positions) {
    Key.Builder key = Key.newBuilder();
    for (int position : positions) {
      append(key, values.get(position));
    }
    return key.build();
  }

  /** As Spanner returns it: without trailing zeros, and without an exponent. */
  private static BigDecimal shortest(BigDecimal number) {
    return new BigDecimal(number.stripTrailingZeros().toPlainString());
  }

  private static void append(Key.Builder key, Value value) {
    if (value.isNull()) {
      key.appendObject(null);
      return;
    }
    if (value.isCommitTimestamp()) {
      throw notComparable("the commit timestamp is a part of the primary key");
    }
    Type type = value.getType();
    if (type == null) { // of Value.untyped
      throw notComparable("a part of the primary key has no type");
    }
    switch (type.getCode()) {
      case BOOL -> key.append(value.getBool());
      case INT64 -> key.append(value.getInt64());
      case FLOAT64 -> key.append(value.getFloat64());
      case NUMERIC -> key.append(shortest(value.getNumeric()));
      case STRING -> key.append(value.getString());
      case BYTES -> key.append(value.getBytes());
      case TIMESTAMP -> key.append(value.getTimestamp());
      case DATE -> key.append(value.getDate());
      case UUID -> key.append(value.getUuid());
      default -> throw notComparable("a key with a part of type " + type + " cannot be read back");
    }
  }

  /** The rows that are read back do not tell whether a write whose answer was lost took effect. */
  static GroupFailedException notComparable(String why) {
    return new GroupFailedException(Kind.UNKNOWN, new IllegalStateException(why));
  }
}
