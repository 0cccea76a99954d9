package io.millrace.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Each database answers through R2DBC. */
class DatabaseKindTest {

  abstract static class Behaviour {

    @Test
    void aRowThatIsWrittenIsRead(R2dbcDatabase database, ConnectionFactory connections) {
      database.execute(
          database.kind() == DatabaseKind.SPANNER
              ? "CREATE TABLE t (id INT64 NOT NULL) PRIMARY KEY (id)"
              : "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)",
          "INSERT INTO t (id) VALUES (42)");

      List<Long> ids =
          Flux.usingWhen(
                  Mono.defer(() -> Mono.from(connections.create())),
                  connection ->
                      Flux.from(connection.createStatement("SELECT id FROM t").execute())
                          .concatMap(
                              result -> result.map((row, metadata) -> row.get("id", Long.class))),
                  Connection::close)
              .collectList()
              .block();

      assertThat(ids).containsExactly(42L);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class SpannerPostgreSql extends Behaviour {}

  @Test
  void aPostgreSqlServerKeepsItsPortAndItsDataWhenItIsStartedAgain() {
    try (PostgresServer server = PostgresServer.start();
        R2dbcDatabase database = server.createDatabase()) {
      int port = server.port();
      database.execute("CREATE TABLE t (id BIGINT PRIMARY KEY)");

      server.stop();
      server.startAgain();

      assertThat(server.port()).isEqualTo(port);
      database.execute("INSERT INTO t VALUES (1)");
    }
  }
}
