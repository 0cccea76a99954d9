package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.RowWriter;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Pipelines run on Reactor's parallel threads and those of the drivers, and block none of them. */
@OnDatabases({POSTGRESQL, MYSQL})
@BlocksNoThread
class InsertsBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;

  @Test
  void insertPipelinesBlockNoThread() {
    database.execute(
        "CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY)",
        "INSERT INTO things (id) VALUES (50)");
    WatchedConnections watched = new WatchedConnections(database.connections());
    watched.loseAnswer(
        "commit"::equals, new R2dbcNonTransientResourceException("connection reset"));
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

  /** Callers on threads that must not block, some of which leave, and an answer that is lost. */
  @Test
  void rowWritersBlockNoThread() {
    database.execute(
        "CREATE TABLE written_rows (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL)",
        "INSERT INTO written_rows (id, n) VALUES (50, 0)");
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().then(store.create("lines", 1)).block(LIMIT);
    WatchedConnections watched = new WatchedConnections(database.connections());
    watched.loseAnswer(
        "commit"::equals, new R2dbcNonTransientResourceException("connection reset"));
    R2dbcDialect dialect = Objects.requireNonNull(R2dbcDialect.of(watched).block(LIMIT));
    RowWriter<Integer> writer =
        R2dbcInserts.<Integer>into(
                watched, "written_rows", (id, row) -> row.set("id", (long) id).set("n", 1L))
            .dialect(dialect)
            .key("id")
            .numbered(store.transactional("lines"), (id, number) -> id)
            .groupSize(10)
            .writer();

    List<Integer> written =
        Flux.range(0, 100)
            .flatMap(
                id ->
                    (id % 10 == 7
                            ? writer.write(id).timeout(Duration.ofNanos(1), Mono.empty())
                            : writer.write(id))
                        .onErrorResume(InsertFailedException.class, failed -> Mono.empty())
                        .subscribeOn(Schedulers.parallel()),
                100)
            .collectList()
            .block(LIMIT);
    writer.disposeLater().block(LIMIT);

    assertThat(written).as("all but the duplicate and those who left").hasSizeBetween(89, 99);
    assertThat(watched.statements()).anyMatch(sql -> sql.startsWith("SELECT"));
  }
}
