package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome.Committed;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Pipelines run on Reactor's parallel threads and those of the drivers, and block none of them. */
@BlocksNoThread
class InsertsBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  abstract static class Behaviour {

    @Test
    void insertPipelinesBlockNoThread(R2dbcDatabase database) {
      database.execute(
          database.kind() == DatabaseKind.SPANNER
              ? "CREATE TABLE things (id INT64 NOT NULL) PRIMARY KEY (id)"
              : "CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY)",
          "INSERT INTO things (id) VALUES (50)");
      WatchedConnections watched = new WatchedConnections(database.connections());
      watched.loseAnswer(
          "commit"::equals, new R2dbcNonTransientResourceException("connection reset"));
      // The client of Spanner may block at its very first call, when it has no session yet.
      R2dbcDialect dialect = Objects.requireNonNull(R2dbcDialect.of(watched).block(LIMIT));
      R2dbcInserts<Integer> inserts =
          R2dbcInserts.<Integer>into(watched, "things", (id, row) -> row.set("id", (long) id))
              .dialect(dialect)
              .key("id")
              .groupSize(10)
              .concurrency(2);

      List<?> outcomes =
          Flux.range(0, 100)
              .transform(inserts.outcomes())
              .subscribeOn(Schedulers.parallel())
              .collectList()
              .block(LIMIT);

      assertThat(outcomes).hasSize(100);
      assertThat(outcomes)
          .as("all but the duplicate, though an answer was lost")
          .filteredOn(Committed.class::isInstance)
          .hasSize(99);
      assertThat(watched.statements()).anyMatch(sql -> sql.startsWith("SELECT"));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends Behaviour {}
}
