package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.SequenceBlock;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A store whose connections may lead to a replica. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class ReadReplicaTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long FIRST_OF_PRIMARY = 1_000;

  @Test
  void aStandbyRefusesReservationsAndTheDriverFindsThePrimary(R2dbcDatabase primary) {
    String name = primary.name();
    R2dbcSequenceStore atPrimary = R2dbcSequenceStore.create(primary.connections());
    atPrimary.createTable().then(atPrimary.create("orders", FIRST_OF_PRIMARY)).block(LIMIT);
    try (PostgresServer standby = PostgresServer.start()) {
      standby.createDatabase().execute("CREATE DATABASE " + name);
      R2dbcSequenceStore atStandby =
          R2dbcSequenceStore.create(PostgresServer.connections(name, standby.port()));
      atStandby.createTable().then(atStandby.create("orders", 1)).block(LIMIT);
      standby.stop();
      standby.startAgainAsStandby();

      assertThat(atStandby.state("orders").block(LIMIT)).as("it can be read").isNotNull();
      Throwable refusal = catchThrowable(() -> atStandby.reserve("orders", 1).block(LIMIT));
      assertThat(refusal).hasMessageContaining("read-only");
      assertThat(R2dbcDialect.POSTGRESQL.failure(refusal)).isEqualTo(ErrorCategory.CONNECTION_LOST);

      R2dbcSequenceStore store =
          R2dbcSequenceStore.create(
              ConnectionFactories.get(
                  String.format(
                      "r2dbc:postgresql:failover://postgres:postgres@localhost:%d,localhost:%d/%s"
                          + "?targetServerType=primary",
                      standby.port(), PostgresServer.shared().port(), name)));
      assertThat(store.reserve("orders", 1).block(LIMIT))
          .isEqualTo(SequenceBlock.of(FIRST_OF_PRIMARY, 1));
      store.close().then(atStandby.close()).block(LIMIT);
    }
  }
}
