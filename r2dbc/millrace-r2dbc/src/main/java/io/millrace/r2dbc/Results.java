package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs statements and reads their results. A single result is emitted when the statement is done,
 * not with its first row: before that, a statement in autocommit is not committed.
 */
final class Results {

  private Results() {}

  /** A statement with parameters, none of them null. */
  static Statement statement(
      R2dbcDialect dialect, Connection connection, String sql, Object... values) {
    Statement statement = connection.createStatement(sql);
    for (int i = 0; i < values.length; i++) {
      dialect.bind(statement, i, values[i]);
    }
    return statement;
  }

  /** The first column of the first row; empty if there is no row or the column is NULL. */
  static <T> Mono<T> firstValue(Statement statement, Class<T> type) {
    return all(statement, row -> Optional.ofNullable(row.get(0, type)))
        .flatMap(rows -> rows.isEmpty() ? Mono.empty() : Mono.justOrEmpty(rows.get(0)));
  }

  /** All rows of the statement. */
  static <T> Mono<List<T>> all(Statement statement, Function<Readable, T> mapping) {
    return rows(statement, mapping).collectList();
  }

  /** The rows of the statement, emitted as they arrive. */
  static <T> Flux<T> rows(Statement statement, Function<Readable, T> mapping) {
    return execute(statement).concatMap(result -> result.map(mapping));
  }

  /** The number of rows that the statement wrote. */
  static Mono<Long> rowsUpdated(Statement statement) {
    return execute(statement).concatMap(result -> result.getRowsUpdated()).reduce(0L, Long::sum);
  }

  private static Flux<Result> execute(Statement statement) {
    return Flux.defer(() -> Flux.from(statement.execute()));
  }

  /** Runs the statement and ignores its result. */
  static Mono<Void> completion(Statement statement) {
    return rowsUpdated(statement).then();
  }
}
