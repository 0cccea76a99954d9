package io.millrace.admin;

import io.millrace.SequenceStore;
import io.millrace.databases.PostgresServer;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.r2dbc.R2dbcSequenceStore;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresSequencesTest extends SequencesBehaviour {

  @SuppressWarnings("NullAway.Init") // set before all tests
  private PostgresServer server;

  @BeforeAll
  void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Override
  List<String> place() {
    return List.of(
        "--url", "r2dbc:postgresql://postgres:postgres@localhost:" + server.port() + "/postgres");
  }

  @Override
  SequenceStore store() {
    return R2dbcSequenceStore.builder(PostgresServer.connections("postgres", server.port()))
        .ledger(LedgerOptions.table("sequence_ledger").holder(new Holder("tool", "test", "1")))
        .build();
  }
}
