package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The statements on one native sequence of the database. */
final class NativeQueries {

  /**
   * The answer to a statement that takes values.
   *
   * @param values what {@code nextval} returned, in the order of the calls
   * @param definition the definition of the sequence after these calls
   */
  record Answer(List<Long> values, NativeDefinition definition) {}

  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  /** The SQLSTATE of the SQL standard, which PostgreSQL has, and that of H2. */
  private static final Set<String> EXHAUSTED = Set.of("2200H", "90006");

  private static final int EXHAUSTED_IN_MARIADB = 4084;

  /** A Galera cluster accepts a cache, which is MariaDB's default, only with INCREMENT BY 0. */
  private static final int NOT_SUPPORTED_IN_MARIADB = 1235;

  /** One of the two is null. */
  private record Row(@Nullable Long value, @Nullable NativeDefinition definition) {}

  private final R2dbcDialect dialect;
  private final NativeSequenceSql sql;
  private final String sequence;
  private final String quoted;

  /**
   * @param sql the statements of the dialect
   * @throws IllegalArgumentException if the database does not accept the name
   */
  NativeQueries(R2dbcDialect dialect, NativeSequenceSql sql, String sequence) {
    this.dialect = dialect;
    this.sql = sql;
    this.sequence = Identifiers.table("the name of a sequence", sequence);
    this.quoted = dialect.quote(sequence);
  }

  String sequence() {
    return sequence;
  }

  /** Calls {@code nextval} that many times, or as often as one statement may. */
  Mono<Answer> values(Connection connection, long calls) {
    String template = sql.values() + " UNION ALL " + sql.definition();
    int most = (int) Math.min(sql.mostCalls(), calls);
    return rows(connection, template, most, NativeQueries::row)
        .map(rows -> new Answer(values(rows), definition(rows)));
  }

  private static Row row(Readable row) {
    Long value = row.get(0, Long.class);
    return value != null
        ? new Row(value, null)
        : new Row(
            null,
            new NativeDefinition(
                number(row, 1),
                number(row, 2),
                number(row, 3),
                number(row, 4),
                number(row, 5) != 0));
  }

  private static long number(Readable row, int column) {
    return Objects.requireNonNull(row.get(column, Long.class), "a number of a sequence");
  }

  private static List<Long> values(List<Row> rows) {
    List<Long> values = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (row.value() != null) {
        values.add(row.value());
      }
    }
    return values;
  }

  private NativeDefinition definition(List<Row> rows) {
    NativeDefinition definition = rows.isEmpty() ? null : rows.get(rows.size() - 1).definition();
    if (definition == null) {
      throw notFound(sequence, null);
    }
    return definition;
  }

  /** Reads the definition; an error if there is no such sequence. */
  Mono<NativeDefinition> definition(Connection connection) {
    return rows(connection, sql.definition(), 0, NativeQueries::row).map(this::definition);
  }

  /**
   * Reads what the next call of {@code nextval} returns; {@link Long#MAX_VALUE} if no value is
   * left.
   */
  Mono<Long> next(Connection connection, NativeDefinition definition) {
    return rows(
            connection,
            sql.position(),
            0,
            row -> {
              Long position = row.get(0, Long.class);
              return position == null || number(row, 1) == 0
                  ? Objects.requireNonNullElse(position, Long.MAX_VALUE)
                  : definition.after(position);
            })
        .map(
            rows -> {
              if (rows.isEmpty()) {
                throw notFound(sequence, null);
              }
              return rows.get(0) > definition.maximum() ? Long.MAX_VALUE : rows.get(0);
            });
  }

  /**
   * Creates the sequence unless it exists. On a Galera cluster, each node then takes values of its
   * own: without a cache, two nodes may return the same one (MariaDB 11.4.5).
   */
  Mono<Void> create(Connection connection, long startValue) {
    String ddl = ddl("IF NOT EXISTS ", startValue);
    return run(connection, ddl)
        .onErrorResume(
            NativeQueries::isCacheRefused, refused -> run(connection, ddl + " INCREMENT BY 0"));
  }

  private Mono<Void> run(Connection connection, String ddl) {
    return Mono.defer(() -> Results.completion(dialect.statement(connection, ddl)));
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

  /** The error for a missing sequence. */
  SequenceNotFoundException notFound(String name, @Nullable Throwable cause) {
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

  private <T> Mono<List<T>> rows(
      Connection connection, String template, int calls, Function<Readable, T> mapping) {
    return Mono.defer(() -> Results.all(statement(connection, template, calls), mapping));
  }

  private Statement statement(Connection connection, String template, int calls) {
    List<Object> parameters = new ArrayList<>();
    String text =
        PLACE
            .matcher(template)
            .replaceAll(
                place -> Matcher.quoteReplacement(filled(place.group(1), calls, parameters)));
    return dialect.statement(connection, text, parameters.toArray());
  }

  private String filled(String place, int calls, List<Object> parameters) {
    if (place.equals("sequence")) {
      return quoted;
    }
    int dot = sequence.lastIndexOf('.');
    parameters.add(
        switch (place) {
          case "text" -> quoted;
          case "schema" ->
              sequence.substring(sequence.lastIndexOf('.', dot - 1) + 1, Math.max(0, dot));
          case "name" -> sequence.substring(dot + 1);
          case "calls" -> calls;
          default -> throw new IllegalArgumentException(place);
        });
    return dialect.marker(parameters.size() - 1);
  }
}
