package io.millrace.databases;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs statements and waits for them. */
final class Statements {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Statements() {}

  static void run(ConnectionFactory connections, String... statements) {
    Mono.usingWhen(
            Mono.defer(() -> Mono.from(connections.create())),
            connection ->
                Flux.fromArray(statements)
                    .concatMap(text -> connection.createStatement(text).execute())
                    .concatMap(Result::getRowsUpdated)
                    .then(),
            Connection::close)
        .block(PATIENCE);
  }

  static <T> List<T> query(ConnectionFactory connections, String sql, Function<Readable, T> row) {
    return Flux.usingWhen(
            Mono.<Connection>defer(() -> Mono.from(connections.create())),
            connection ->
                Flux.from(connection.createStatement(sql).execute())
                    .concatMap(result -> result.map(row)),
            Connection::close)
        .collectList()
        .blockOptional(PATIENCE)
        .orElseThrow();
  }
}
