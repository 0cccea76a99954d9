package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The statements that move several counters in a transaction of the application, in one dialect.
 *
 * <p>First all rows are read and locked, in the order of their names, and then they are updated. An
 * {@code UPDATE} alone would lock them in an arbitrary order, and two processes could deadlock.
 * PostgreSQL locks rows as they are sorted. MySQL, MariaDB and H2 lock them as they find them: in
 * the order of the key, which is the same.
 *
 * <p>Drivers keep a prepared statement for each SQL text, so the number of texts is small:
 * statements have as many names as fit, and then powers of two.
 */
final class SeveralCounters {

  /** A statement with more names is not faster, and the driver keeps a longer text. */
  private static final int MOST_NAMES = 256;

  /** How many parameters a name has in {@link #update}, which has the most. */
  private static final int PARAMETERS = 3;

  /** The values taken from a counter. */
  private record Taken(String name, boolean missing, SequenceBlock values) {

    long after() {
      return values.last() + 1;
    }
  }

  private final SequenceTable counters;
  private final R2dbcDialect dialect;
  private final String table;
  private final String name;
  private final String value;

  SeveralCounters(SequenceTable counters) {
    SequenceNames names = counters.names();
    this.counters = counters;
    this.dialect = counters.dialect();
    this.table = dialect.quote(names.table());
    this.name = dialect.quoteColumn(names.nameColumn());
    this.value = dialect.quoteColumn(names.valueColumn());
  }

  /**
   * Takes values in a transaction of the application.
   *
   * @param counts how many of each name, in the order of the names
   * @param start the first value of a missing sequence; null if that is an error
   * @param requireTransaction throws if the driver reports that there is no transaction
   */
  Mono<Map<String, List<Long>>> take(
      Connection connection,
      SortedMap<String, Integer> counts,
      @Nullable Long start,
      Runnable requireTransaction) {
    requireTransaction.run();
    return locked(connection, List.copyOf(counts.keySet()))
        .flatMap(
            found -> {
              requireTransaction.run();
              List<Taken> taken = taken(counts, found, start);
              return created(connection, taken.stream().filter(Taken::missing).toList())
                  .then(moved(connection, taken.stream().filter(each -> !each.missing()).toList()))
                  .then(Mono.fromRunnable(requireTransaction))
                  .then(Mono.fromSupplier(() -> valuesOf(taken)));
            });
  }

  private static Map<String, List<Long>> valuesOf(List<Taken> taken) {
    Map<String, List<Long>> values = new LinkedHashMap<>();
    for (Taken each : taken) {
      long first = each.values().first();
      values.put(each.name(), LongStream.range(first, each.after()).boxed().toList());
    }
    return values;
  }

  /** Takes the values of the counters; an error if one has none. */
  private List<Taken> taken(
      SortedMap<String, Integer> counts, Map<String, Long> found, @Nullable Long start) {
    List<Taken> taken = new ArrayList<>();
    Map<String, SequenceException> refused = new LinkedHashMap<>();
    counts.forEach(
        (sequence, count) -> {
          Long next = found.getOrDefault(sequence, start);
          try {
            if (next == null) {
              throw counters.counterNotFound(sequence);
            }
            taken.add(
                new Taken(
                    sequence,
                    !found.containsKey(sequence),
                    new SequenceState(sequence, next).block(count)));
          } catch (SequenceException refusal) {
            refused.put(sequence, refusal);
          }
        });
    if (!refused.isEmpty()) {
      throw new SequencesRefusedException(refused, counts.size());
    }
    return taken;
  }

  private Mono<Map<String, Long>> locked(Connection connection, List<String> sequences) {
    return Flux.fromIterable(parts(sequences))
        .concatMap(part -> Mono.defer(() -> Results.all(lock(connection, part), counters::state)))
        .concatMapIterable(states -> states)
        .collectMap(SequenceState::name, SequenceState::nextValue);
  }

  private Statement lock(Connection connection, List<String> sequences) {
    Text text = new Text("SELECT " + name + ", " + value + " FROM " + table);
    text.whereNameIn(sequences);
    text.append(" ORDER BY CASE " + name);
    for (int i = 0; i < sequences.size(); i++) {
      text.append(" WHEN ").bind(sequences.get(i)).append(" THEN " + i);
    }
    text.append(dialect.writesInTransactions() ? " END" : " END FOR UPDATE");
    return text.statement(connection);
  }

  private Mono<Void> moved(Connection connection, List<Taken> taken) {
    return eachPart(taken, part -> update(connection, part));
  }

  /** Adds to the values, which are locked. So the new values have the type of the column. */
  private Statement update(Connection connection, List<Taken> taken) {
    Text text = new Text("UPDATE " + table + " SET " + value + " = CASE " + name);
    for (Taken each : taken) {
      text.append(" WHEN ")
          .bind(each.name())
          .append(" THEN " + value + " + ")
          .bind(each.values().size());
    }
    text.append(" END");
    text.whereNameIn(taken.stream().map(Taken::name).toList());
    return text.statement(connection);
  }

  private Mono<Void> created(Connection connection, List<Taken> missing) {
    return eachPart(missing, part -> insert(connection, part))
        .onErrorMap(
            failure -> Failures.kind(dialect, failure) == FailureKind.DUPLICATE_KEY,
            created -> new CounterChangedException(missing.get(0).name(), created));
  }

  private Statement insert(Connection connection, List<Taken> missing) {
    Text text = new Text("INSERT INTO " + table + " (" + name + ", " + value + ") VALUES ");
    for (int i = 0; i < missing.size(); i++) {
      text.append(i == 0 ? "(" : ", (")
          .bind(missing.get(i).name())
          .append(", ")
          .bind(missing.get(i).after())
          .append(")");
    }
    return text.statement(connection);
  }

  /** Runs a statement for each part, which has to write all of its rows. */
  private Mono<Void> eachPart(List<Taken> taken, Function<List<Taken>, Statement> statement) {
    return Flux.fromIterable(parts(taken))
        .concatMap(
            part ->
                Mono.defer(() -> Results.rowsUpdated(statement.apply(part)))
                    .filter(written -> written == part.size())
                    .switchIfEmpty(
                        Mono.error(() -> new CounterChangedException(part.get(0).name()))))
        .then();
  }

  private <E> List<List<E>> parts(List<E> all) {
    int most =
        Math.max(
            1, Math.min(MOST_NAMES, Integer.highestOneBit(dialect.maxParameters() / PARAMETERS)));
    List<List<E>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); ) {
      int left = all.size() - from;
      int to = from + (left >= most ? most : Integer.highestOneBit(left));
      parts.add(all.subList(from, to));
      from = to;
    }
    return parts;
  }

  /** The text of a statement, and its parameters in the order of the text. */
  private final class Text {

    private final StringBuilder text;
    private final List<Object> values = new ArrayList<>();

    Text(String begin) {
      text = new StringBuilder(begin);
    }

    Text append(String more) {
      text.append(more);
      return this;
    }

    Text bind(Object parameter) {
      text.append(dialect.marker(values.size()));
      values.add(parameter);
      return this;
    }

    void whereNameIn(List<String> names) {
      append(" WHERE " + name + " IN (");
      for (int i = 0; i < names.size(); i++) {
        append(i == 0 ? "" : ", ").bind(names.get(i));
      }
      append(")");
    }

    Statement statement(Connection connection) {
      return dialect.statement(connection, text.toString(), values.toArray());
    }
  }
}
