package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A sequence of the database, and its statements. Its definition is read once. */
final class NativeSequence {

  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  /** The SQLSTATE of the SQL standard, which PostgreSQL has, and that of H2. */
  private static final Set<String> EXHAUSTED = Set.of("2200H", "90006");

  private static final int EXHAUSTED_IN_MARIADB = 4084;

  /** A Galera cluster accepts a cache, which is MariaDB's default, only with INCREMENT BY 0. */
  private static final int NOT_SUPPORTED_IN_MARIADB = 1235;

  /**
   * The definition of a sequence.
   *
   * @param increment what {@code nextval} adds
   * @param minimum the smallest value of the sequence
   * @param maximum the largest value of the sequence
   * @param start the value with which the sequence was created
   * @param cycles whether the sequence starts again when it has come to its end
   */
  record Definition(long increment, long minimum, long maximum, long start, boolean cycles) {

    /** Returns the definition, or throws if values could be issued twice with it. */
    Definition checked(String sequence) {
      if (increment < 1) {
        throw refused(sequence, "INCREMENT BY " + increment + ", which must be at least 1");
      }
      if (cycles) {
        throw refused(sequence, "CYCLE, and would issue its values again: set NO CYCLE");
      }
      return this;
    }

    private static SequenceStoreException refused(String sequence, String reason) {
      return new SequenceStoreException(sequence, "cannot use it: it has " + reason, null);
    }

    /**
     * Returns the values that belong to a value that {@code nextval} returned. Blocks of different
     * values share none, because those are {@code increment} apart or more.
     *
     * <p>The value ends its block, and the start value of the sequence is a block of one value, as
     * for Hibernate's {@code PooledOptimizer}; or it begins its block, as for {@code
     * PooledLoOptimizer}.
     *
     * @param begins whether the value begins its block
     */
    SequenceBlock block(long value, boolean begins) {
      if (begins) {
        return SequenceBlock.of(value, incrementOrLess(maximum - value));
      }
      long before = value == start ? 0 : incrementOrLess(value - minimum) - 1;
      return SequenceBlock.of(value - before, before + 1);
    }

    /** The value that {@code nextval} returns after another; {@link Long#MAX_VALUE} if none. */
    long after(long value) {
      return Long.compareUnsigned(maximum - value, increment) < 0
          ? Long.MAX_VALUE
          : value + increment;
    }

    /** The size of a block that has room for {@code steps} further values; unsigned. */
    private long incrementOrLess(long steps) {
      return Long.compareUnsigned(steps, increment - 1) < 0 ? steps + 1 : increment;
    }
  }

  private final R2dbcDialect dialect;
  private final NativeSequenceSql sql;
  private final String name;
  private final String quoted;

  /** Whether a value that {@code nextval} returns begins its block; else it ends it. */
  private final boolean begins;

  /** Null until it is read. */
  private volatile @Nullable Definition definition;

  /**
   * Values of a block that its reservation did not need; the next reservation takes them. If two
   * reservations leave some at the same time, those of the first are a gap.
   */
  private final AtomicReference<@Nullable SequenceBlock> rest = new AtomicReference<>();

  /**
   * @param sql the statements of the dialect
   * @throws IllegalArgumentException if the database does not accept the name
   */
  NativeSequence(R2dbcDialect dialect, NativeSequenceSql sql, String name, boolean begins) {
    this.dialect = dialect;
    this.sql = sql;
    this.name = NameRule.table("the name of a sequence", name);
    this.quoted = dialect.quote(name);
    this.begins = begins;
  }

  R2dbcDialect dialect() {
    return dialect;
  }

  String name() {
    return name;
  }

  /** The largest value, if the definition is known. */
  long maximum() {
    Definition known = definition;
    return known == null ? Long.MAX_VALUE : known.maximum();
  }

  /** Takes the values that an earlier reservation left: one block or none. */
  List<SequenceBlock> takeRest() {
    List<SequenceBlock> blocks = new ArrayList<>();
    SequenceBlock left = rest.getAndSet(null);
    if (left != null) {
      blocks.add(left);
    }
    return blocks;
  }

  static long count(List<SequenceBlock> blocks) {
    return blocks.stream().mapToLong(SequenceBlock::size).sum();
  }

  /** Returns the first {@code size} values of blocks, and keeps the others, all of the last one. */
  SequenceBlock take(List<SequenceBlock> blocks, int size) {
    SequenceBlock first = blocks.get(0);
    SequenceBlock last = blocks.get(blocks.size() - 1);
    long left = count(blocks) - size;
    if (left > 0) {
      rest.set(last.slice(last.size() - left, last.size()));
    }
    if (first.size() >= size) {
      return first.slice(0, size);
    }
    long[] values = new long[size];
    int filled = 0;
    for (SequenceBlock block : blocks) {
      for (long i = 0; i < block.size() && filled < size; i++) {
        values[filled++] = block.valueAt(i);
      }
    }
    return SequenceBlock.ofValues(values);
  }

  /**
   * Adds blocks until they have {@code size} values, which they do not have yet. After a failure
   * those that were added stay.
   */
  Mono<Void> fill(Connection connection, List<SequenceBlock> blocks, int size) {
    return definition(connection)
        .flatMap(
            known ->
                Mono.defer(() -> add(connection, known, blocks, size - count(blocks)))
                    .repeat(() -> count(blocks) < size)
                    .then());
  }

  private Mono<Void> add(
      Connection connection, Definition known, List<SequenceBlock> blocks, long wanted) {
    long calls = Math.min(sql.mostCalls(), (wanted - 1) / known.increment() + 1);
    return rows(connection, sql.values(), (int) calls, row -> number(row, 0))
        .doOnNext(values -> values.forEach(value -> add(blocks, known.block(value, begins))))
        .then();
  }

  private static void add(List<SequenceBlock> blocks, SequenceBlock block) {
    int last = blocks.size() - 1;
    if (last >= 0 && blocks.get(last).last() + 1 == block.first()) {
      SequenceBlock joined = blocks.get(last);
      blocks.set(last, SequenceBlock.of(joined.first(), joined.size() + block.size()));
    } else {
      blocks.add(block);
    }
  }

  /** Reads the definition if it is not known; an error if there is no such sequence. */
  Mono<Definition> definition(Connection connection) {
    Definition known = definition;
    return known != null
        ? Mono.just(known)
        : only(connection, sql.definition(), NativeSequence::definition)
            .map(read -> read.checked(name))
            .doOnNext(read -> definition = read);
  }

  private static Definition definition(Readable row) {
    return new Definition(
        number(row, 0), number(row, 1), number(row, 2), number(row, 3), number(row, 4) != 0);
  }

  private static long number(Readable row, int column) {
    return Objects.requireNonNull(row.get(column, Long.class), "a number of a sequence");
  }

  /** Reads the first value of the next block; {@link Long#MAX_VALUE} if no value is left. */
  Mono<Long> next(Connection connection) {
    return definition(connection)
        .flatMap(
            known ->
                only(connection, sql.position(), row -> next(row, known))
                    .map(
                        next ->
                            next > known.maximum()
                                ? Long.MAX_VALUE
                                : known.block(next, begins).first()));
  }

  private static long next(Readable row, Definition known) {
    Long position = row.get(0, Long.class);
    return position == null || number(row, 1) == 0
        ? Objects.requireNonNullElse(position, Long.MAX_VALUE)
        : known.after(position);
  }

  /**
   * Creates the sequence unless it exists. On a Galera cluster, each node then takes values of its
   * own: without a cache, two nodes may return the same one (MariaDB 11.4.5).
   */
  Mono<Void> create(Connection connection, long startValue) {
    String ddl = ddl("IF NOT EXISTS ", startValue);
    Function<String, Mono<Void>> run =
        text -> Mono.defer(() -> Results.completion(connection.createStatement(text)));
    return run.apply(ddl)
        .onErrorResume(
            NativeSequence::isCacheRefused, refused -> run.apply(ddl + " INCREMENT BY 0"));
  }

  private static boolean isCacheRefused(Throwable failure) {
    return failure instanceof R2dbcException reported
        && reported.getErrorCode() == NOT_SUPPORTED_IN_MARIADB;
  }

  private String ddl(String condition, long startValue) {
    return "CREATE SEQUENCE "
        + condition
        + quoted
        + " START WITH "
        + startValue
        + " MINVALUE "
        + Math.min(1, startValue);
  }

  /** The error to report for a failure of the driver. */
  Throwable translated(Throwable failure) {
    return Failures.translated(dialect, name, failure, this::notFound);
  }

  private SequenceNotFoundException notFound(@Nullable Throwable cause) {
    return new SequenceNotFoundException(
        name,
        "the schema of the database (names are case-sensitive, and "
            + dialect.name()
            + " may have changed the case of an unquoted name)",
        ddl("", 1) + " (or call create)",
        cause);
  }

  /** Whether a failure means that the sequence has come to its end. */
  static boolean isExhausted(Throwable failure) {
    return Failures.causes(failure)
        .anyMatch(
            each ->
                each instanceof R2dbcException reported
                    && (EXHAUSTED.contains(String.valueOf(reported.getSqlState()))
                        || reported.getErrorCode() == EXHAUSTED_IN_MARIADB));
  }

  /** The only row; an error if there is none. */
  private <T> Mono<T> only(Connection connection, String template, Function<Readable, T> mapping) {
    return rows(connection, template, 0, mapping)
        .filter(rows -> !rows.isEmpty())
        .map(rows -> rows.get(0))
        .switchIfEmpty(Mono.error(() -> notFound(null)));
  }

  private <T> Mono<List<T>> rows(
      Connection connection, String template, int calls, Function<Readable, T> mapping) {
    return Mono.defer(() -> Results.all(statement(connection, template, calls), mapping));
  }

  private Statement statement(Connection connection, String template, int calls) {
    int dot = name.lastIndexOf('.');
    Map<String, Object> values =
        Map.of(
            "text",
            quoted,
            "schema",
            name.substring(name.lastIndexOf('.', dot - 1) + 1, Math.max(0, dot)),
            "name",
            name.substring(dot + 1),
            "calls",
            calls);
    List<Object> parameters = new ArrayList<>();
    String text =
        PLACE
            .matcher(template)
            .replaceAll(
                place -> {
                  Object value = values.get(place.group(1));
                  if (value == null) {
                    return Matcher.quoteReplacement(quoted);
                  }
                  parameters.add(value);
                  return Matcher.quoteReplacement(dialect.marker(parameters.size() - 1));
                });
    return Results.statement(dialect, connection, text, parameters.toArray());
  }
}
