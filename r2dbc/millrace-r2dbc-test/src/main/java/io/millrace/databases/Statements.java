package io.millrace.databases;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.time.Duration;
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
}
