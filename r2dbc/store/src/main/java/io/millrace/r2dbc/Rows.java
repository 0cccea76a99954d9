package io.millrace.r2dbc;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What a statement answers. Each answer is given when the statement is done, and not with its first
 * row: until then, a statement in autocommit is not committed.
 */
final class Rows {

  private Rows() {}

  /** The first column of the first row; empty if there is no row, or a NULL in it. */
  static <T> Mono<T> first(Statement statement, Class<T> type) {
    return execute(statement)
        .concatMap(
            result ->
                Guarded.<Optional<T>>flux(
                    () -> result.map((row, metadata) -> Optional.ofNullable(row.get(0, type)))))
        .collectList()
        .flatMap(rows -> rows.isEmpty() ? Mono.empty() : Mono.justOrEmpty(rows.get(0)));
  }

  /** How many rows it wrote. */
  static Mono<Long> written(Statement statement) {
    return execute(statement)
        .concatMap(result -> Guarded.<Long>flux(result::getRowsUpdated))
        .reduce(0L, Long::sum);
  }

  private static Flux<Result> execute(Statement statement) {
    return Guarded.flux(statement::execute);
  }

  /** Runs it, whatever it answers. */
  static Mono<Void> run(Statement statement) {
    return written(statement).then();
  }
}
