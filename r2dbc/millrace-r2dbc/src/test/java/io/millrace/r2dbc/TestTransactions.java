package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Mono;

/** Transactions that an application might run. */
final class TestTransactions {

  private TestTransactions() {}

  /** Advances a counter by one, with a query and an update. */
  static Mono<SequenceState> advance(
      ConnectionFactory connections, R2dbcDialect dialect, String sequence) {
    SequenceTable table =
        new SequenceTable(dialect, new SequenceNames("sequences", "name", "next_value", 64));
    return R2dbcTransactions.over(connections, dialect)
        .readWrite(
            connection ->
                table
                    .state(connection, sequence)
                    .flatMap(state -> table.raise(connection, sequence, state.nextValue() + 1)));
  }
}
